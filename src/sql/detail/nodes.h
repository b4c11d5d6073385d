// Names of the parser's nodes, so that its large header stays out of ours.
#pragma once

// NOLINTBEGIN(bugprone-reserved-identifier): these are libpg_query's names
struct PgQuery__AConst;
struct PgQuery__AExpr;
struct PgQuery__Alias;
struct PgQuery__CaseExpr;
struct PgQuery__FuncCall;
struct PgQuery__JoinExpr;
struct PgQuery__Node;
struct PgQuery__ParseResult;
struct PgQuery__RangeVar;
struct PgQuery__SelectStmt;
struct PgQuery__TypeCast;
struct PgQuery__WithClause;
// NOLINTEND(bugprone-reserved-identifier)
