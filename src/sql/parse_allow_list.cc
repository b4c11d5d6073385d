#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "sql/detail/parse_tree.h"

namespace dither::sql {
namespace {

// `xpr` and the like, which only the server's own analysis fills, are not here.
const std::map<std::string_view, std::vector<std::string_view>>& allowed_fields() {
  static const std::map<std::string_view, std::vector<std::string_view>> fields{
      {"SelectStmt",
       {"distinct_clause", "target_list", "from_clause", "where_clause", "group_clause", "having_clause", "sort_clause",
        "limit_offset", "limit_count", "limit_option", "with_clause", "op", "all", "larg", "rarg"}},
      {"ResTarget", {"name", "val", "location"}},
      {"ColumnRef", {"fields", "location"}},
      {"AStar", {}},
      {"RangeVar", {"relname", "inh", "relpersistence", "alias", "location"}},
      {"Alias", {"aliasname", "colnames"}},
      {"RangeSubselect", {"subquery", "alias"}},
      {"JoinExpr", {"jointype", "larg", "rarg", "using_clause", "quals"}},
      {"CommonTableExpr", {"ctename", "aliascolnames", "ctematerialized", "ctequery", "location"}},
      {"WithClause", {"ctes", "location"}},
      {"FuncCall", {"funcname", "args", "agg_filter", "agg_star", "agg_distinct", "funcformat", "location"}},
      {"AExpr", {"kind", "name", "lexpr", "rexpr", "location"}},
      {"BoolExpr", {"boolop", "args", "location"}},
      {"NullTest", {"arg", "nulltesttype", "location"}},
      {"BooleanTest", {"arg", "booltesttype", "location"}},
      {"CaseExpr", {"arg", "args", "defresult", "location"}},
      {"CaseWhen", {"expr", "result", "location"}},
      {"CoalesceExpr", {"args", "location"}},
      {"MinMaxExpr", {"op", "args", "location"}},
      {"TypeCast", {"arg", "type_name", "location"}},
      {"TypeName", {"names", "typmods", "typemod", "location"}},
      {"AConst", {"ival", "fval", "boolval", "sval", "isnull", "location"}},
      {"Integer", {"ival"}},
      {"Float", {"fval"}},
      {"Boolean", {"boolval"}},
      {"String", {"sval"}},
      {"SortBy", {"node", "sortby_dir", "sortby_nulls", "location"}},
      {"NamedArgExpr", {"arg", "name", "argnumber", "location"}},
      {"RowExpr", {"args", "row_format", "location"}},
      {"List", {"items"}},
  };
  return fields;
}

struct Refusal {
  std::string_view message, field;  // no field: the message itself
  std::string_view what, hint;
};

constexpr std::string_view kList = "docs/sql.md lists what is answered";
constexpr std::string_view kWindow = "aggregate with GROUP BY, and compute ranks or shares from the answer";
constexpr std::string_view kRelease = "ask for the rows by GROUP BY, and work on the answer";

// Names for what people write. In this order, so that the clearest of several names is shown.
constexpr Refusal kRefusals[] = {
    {"SelectStmt", "into_clause", "SELECT INTO", "leave INTO out"},
    {"SelectStmt", "values_lists", "VALUES", "select from a table"},
    {"SelectStmt", "window_clause", "WINDOW", kWindow},
    {"SelectStmt", "locking_clause", "FOR UPDATE and FOR SHARE", "leave it out: nothing is changed here"},
    {"SelectStmt", "group_distinct", "GROUP BY DISTINCT", "write GROUP BY alone"},
    {"RangeVar", "catalogname", "a database before a table name", "write the table's name alone"},
    {"RangeVar", "schemaname", "a schema before a table name", "write the table's name alone"},
    {"RangeSubselect", "lateral", "LATERAL", "write a join or a derived table that stands alone"},
    {"JoinExpr", "is_natural", "NATURAL JOIN", "name the columns: JOIN ... USING (column)"},
    {"JoinExpr", "join_using_alias", "an alias of USING", "leave the alias out"},
    {"JoinExpr", "alias", "an alias of a join", "give each table its own alias"},
    {"WithClause", "recursive", "WITH RECURSIVE", kList},
    {"CommonTableExpr", "search_clause", "SEARCH", kList},
    {"CommonTableExpr", "cycle_clause", "CYCLE", kList},
    {"FuncCall", "over", "OVER (window functions)", kWindow},
    {"FuncCall", "agg_within_group", "WITHIN GROUP", kList},
    {"FuncCall", "agg_order", "ORDER BY inside an aggregate", "leave it out"},
    {"FuncCall", "func_variadic", "VARIADIC", kList},
    {"SortBy", "use_op", "ORDER BY ... USING", "write ASC or DESC"},
    {"TypeName", "setof", "SETOF", kList},
    {"TypeName", "pct_type", "%TYPE", "name the type"},
    {"TypeName", "array_bounds", "arrays", kList},
    {"AConst", "bsval", "bit strings", kList},
    {"SubLink", "", "a subquery inside an expression", "join the table instead, or ask two statements"},
    {"GroupingSet", "", "grouping sets, ROLLUP and CUBE", "ask one statement for each grouping"},
    {"GroupingFunc", "", "GROUPING", "ask one statement for each grouping"},
    {"ParamRef", "", "a parameter such as $1", "write the value"},
    {"AArrayExpr", "", "arrays", kList},
    {"AIndirection", "", "subscripts and fields of a value", kList},
    {"AIndices", "", "subscripts", kList},
    {"CollateClause", "", "COLLATE", "text is compared by its bytes"},
    {"SQLValueFunction", "", "what depends on the clock or the user, such as CURRENT_DATE",
     "write the date: DATE '2024-02-29'"},
    {"RangeFunction", "", "a function in FROM", kList},
    {"RangeTableSample", "", "TABLESAMPLE", "leave it out: noise is added by itself"},
    {"RangeTableFunc", "", "XMLTABLE", kList},
    {"XmlExpr", "", "XML", kList},
    {"XmlSerialize", "", "XML", kList},
    {"SetToDefault", "", "DEFAULT", "write the value"},
    {"CurrentOfExpr", "", "CURRENT OF", kRelease},
    {"WindowDef", "", "windows", kWindow},
};

// A member of a message, by its description.
template <typename T>
const T& member(const ProtobufCMessage& message, std::size_t offset) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(&message) + offset);
}

bool is_chosen(const ProtobufCMessage& message, const ProtobufCFieldDescriptor& field) {
  return (field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF) == 0 ||
         member<std::uint32_t>(message, field.quantifier_offset) == field.id;
}

bool is_empty(const ProtobufCMessage& message, const ProtobufCFieldDescriptor& field) {
  if (!is_chosen(message, field)) return true;
  if (field.label == PROTOBUF_C_LABEL_REPEATED) return member<std::size_t>(message, field.quantifier_offset) == 0;
  switch (field.type) {
    case PROTOBUF_C_TYPE_MESSAGE:
      return member<const void*>(message, field.offset) == nullptr;
    case PROTOBUF_C_TYPE_STRING: {
      const char* text = member<const char*>(message, field.offset);
      return text == nullptr || *text == '\0';
    }
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_DOUBLE:
      return member<std::uint64_t>(message, field.offset) == 0;
    default:  // 32 bits: numbers, truth values, enumerations
      return member<std::uint32_t>(message, field.offset) == 0;
  }
}

const ProtobufCFieldDescriptor* field_named(const ProtobufCMessageDescriptor& type, std::string_view name) {
  const auto* end = type.fields + type.n_fields;
  const auto* found =
      std::find_if(type.fields, end, [&](const ProtobufCFieldDescriptor& field) { return field.name == name; });
  return found == end ? nullptr : found;
}

// The walk. `place` is the nearest one known.
class Walk {
 public:
  explicit Walk(const Text& text) : text_(text) {}

  void message(const ProtobufCMessage& message, std::size_t place, int depth) {
    const ProtobufCMessageDescriptor& type = *message.descriptor;
    const std::string_view name = type.short_name;
    if (name == "Node") return chosen(message, place, depth);
    const auto* location = field_named(type, "location");
    if (location != nullptr && member<std::int32_t>(message, location->offset) > 0) {
      place = static_cast<std::size_t>(member<std::int32_t>(message, location->offset));
    }
    if (depth > kMostNodes) {
      text_.refuse(Code::too_deep, place, fmt::format("the statement is nested more than {} levels deep", kMostNodes),
                   "nest it less: name parts of it by WITH");
    }
    const std::vector<std::string_view>* listed = fields_read(name);
    if (listed == nullptr) refuse(name, "", place);
    check_fields(message, *listed, place);
    for (unsigned i = 0; i < type.n_fields; ++i) inside(message, type.fields[i], place, depth + 1);
  }

 private:
  // A Node holds one of its two hundred members; their numbers count from 1.
  void chosen(const ProtobufCMessage& node, std::size_t place, int depth) {
    const ProtobufCFieldDescriptor* fields = node.descriptor->fields;
    const auto number = member<std::uint32_t>(node, fields[0].quantifier_offset);
    if (number == 0) return;  // an empty place in a list, as in ROW() or DISTINCT without ON
    message(*member<const ProtobufCMessage*>(node, fields[number - 1].offset), place, depth);
  }

  void inside(const ProtobufCMessage& of, const ProtobufCFieldDescriptor& field, std::size_t place, int depth) {
    if (field.type != PROTOBUF_C_TYPE_MESSAGE || is_empty(of, field)) return;
    if (field.label != PROTOBUF_C_LABEL_REPEATED) {
      return message(*member<const ProtobufCMessage*>(of, field.offset), place, depth);
    }
    const auto* items = member<const ProtobufCMessage* const*>(of, field.offset);
    const auto count = member<std::size_t>(of, field.quantifier_offset);
    for (std::size_t i = 0; i < count; ++i) message(*items[i], place, depth);
  }

  void check_fields(const ProtobufCMessage& message, const std::vector<std::string_view>& listed, std::size_t place) {
    const ProtobufCMessageDescriptor& type = *message.descriptor;
    for (const Refusal& refusal : kRefusals) {
      if (refusal.message != type.short_name || refusal.field.empty()) continue;
      if (!is_empty(message, *field_named(type, refusal.field))) refuse(refusal.message, refusal.field, place);
    }
    for (unsigned i = 0; i < type.n_fields; ++i) {
      const ProtobufCFieldDescriptor& field = type.fields[i];
      const bool read = std::find(listed.begin(), listed.end(), field.name) != listed.end();
      if (!read && !is_empty(message, field)) refuse(type.short_name, field.name, place);
    }
  }

  [[noreturn]] void refuse(std::string_view message, std::string_view field, std::size_t place) {
    for (const Refusal& refusal : kRefusals) {
      if (refusal.message == message && refusal.field == field) {
        text_.refuse(Code::not_supported, place, fmt::format("{} is not answered", refusal.what),
                     std::string(refusal.hint));
      }
    }
    if (message.ends_with("Stmt") && field.empty()) {
      text_.refuse(Code::not_a_query, place, "a statement that is no SELECT stands inside the statement",
                   "only SELECT is answered; nothing here changes data or settings");
    }
    const std::string name = field.empty() ? std::string(message) : fmt::format("{}.{}", message, field);
    text_.refuse(Code::not_supported, place, fmt::format("what PostgreSQL calls {} is not answered", name),
                 std::string(kList));
  }

  const Text& text_;
};

}  // namespace

const std::vector<std::string_view>* fields_read(std::string_view message) {
  const auto listed = allowed_fields().find(message);
  return listed == allowed_fields().end() ? nullptr : &listed->second;
}

void check_allowed(const Text& text, const ProtobufCMessage& message) { Walk(text).message(message, 0, 1); }

}  // namespace dither::sql
