// The list of what is taken: whatever is not on it is refused, field by field.
#include <gtest/gtest.h>
#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "sql/bind_check.h"
#include "sql/detail/large_stack.h"
#include "sql/detail/parse_tree.h"

namespace dither::sql {
namespace {

// Together they hold every message that the binder takes.
constexpr const char* kWhole =
    "WITH w(a) AS (SELECT DISTINCT person, -1.5, 'x' FROM visits v(p, q) WHERE age IN (1, 2) AND NOT smoker IS TRUE) "
    "SELECT w.*, count(*) FILTER (WHERE a IS NULL) FROM w LEFT JOIN (SELECT 1) d USING (x) GROUP BY a HAVING true "
    "ORDER BY a DESC LIMIT 1 OFFSET 2";
constexpr const char* kCalls =
    "SELECT CASE a WHEN 1 THEN 2 ELSE 3 END, COALESCE(a, b), GREATEST(a, b), a::int, SUM(a, b => (1, 2)) FROM t "
    "JOIN u ON a = b";
constexpr const char* kStatements[] = {kWhole, kCalls, "SELECT a FROM t UNION ALL SELECT b FROM u"};

struct Tree {
  PgQuery__ParseResult* result;
  explicit Tree(const char* sql) {
    const PgQueryProtobufParseResult parsed = pg_query_parse_protobuf(sql);
    result = pg_query__parse_result__unpack(nullptr, parsed.parse_tree.len,
                                            reinterpret_cast<const std::uint8_t*>(parsed.parse_tree.data));
    pg_query_free_protobuf_parse_result(parsed);
  }
  ~Tree() { pg_query__parse_result__free_unpacked(result, nullptr); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  ProtobufCMessage& root() const { return result->stmts[0]->stmt->base; }
  bool is_allowed() const {
    try {
      check_allowed(Text(""), root());
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::not_supported);
      EXPECT_FALSE(error.hint().empty());
      return false;
    }
  }
};

char* at(ProtobufCMessage& message, std::size_t offset) { return reinterpret_cast<char*>(&message) + offset; }

template <typename Visit>
void visit_all(ProtobufCMessage& message, const Visit& visit) {
  visit(message);
  for (unsigned i = 0; i < message.descriptor->n_fields; ++i) {
    const ProtobufCFieldDescriptor& field = message.descriptor->fields[i];
    if (field.type != PROTOBUF_C_TYPE_MESSAGE) continue;
    if (field.label == PROTOBUF_C_LABEL_REPEATED) {
      const std::size_t count = *reinterpret_cast<std::size_t*>(at(message, field.quantifier_offset));
      auto** items = *reinterpret_cast<ProtobufCMessage***>(at(message, field.offset));
      for (std::size_t k = 0; k < count; ++k) visit_all(*items[k], visit);
      continue;
    }
    const bool one_of = (field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
    if (one_of && *reinterpret_cast<std::uint32_t*>(at(message, field.quantifier_offset)) != field.id) continue;
    auto* inner = *reinterpret_cast<ProtobufCMessage**>(at(message, field.offset));
    if (inner != nullptr) visit_all(*inner, visit);
  }
}

// Puts something into a field while it lives.
class Filled {
 public:
  Filled(ProtobufCMessage& message, const ProtobufCFieldDescriptor& field, ProtobufCMessage& something)
      : message_(message) {
    std::memcpy(saved_, &message, message.descriptor->sizeof_message);
    static char text[] = "x";
    const bool one_of = (field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
    if (one_of) *reinterpret_cast<std::uint32_t*>(at(message, field.quantifier_offset)) = field.id;
    if (field.label == PROTOBUF_C_LABEL_REPEATED)
      *reinterpret_cast<std::size_t*>(at(message, field.quantifier_offset)) = 1;
    if (field.type == PROTOBUF_C_TYPE_MESSAGE || field.label == PROTOBUF_C_LABEL_REPEATED) {
      *reinterpret_cast<ProtobufCMessage**>(at(message, field.offset)) = &something;
    } else if (field.type == PROTOBUF_C_TYPE_STRING) {
      *reinterpret_cast<char**>(at(message, field.offset)) = text;
    } else {
      *reinterpret_cast<std::uint32_t*>(at(message, field.offset)) = 1;
    }
  }
  ~Filled() { std::memcpy(static_cast<void*>(&message_), saved_, message_.descriptor->sizeof_message); }
  Filled(const Filled&) = delete;
  Filled& operator=(const Filled&) = delete;

 private:
  ProtobufCMessage& message_;
  char saved_[1024];
};

TEST(AllowList, EveryFieldThatTheBinderDoesNotReadIsRefusedWhenItIsSet) {
  std::set<std::string> messages;
  int fields = 0;
  for (const char* sql : kStatements) {
    const Tree tree(sql);
    ASSERT_TRUE(tree.is_allowed()) << sql;
    visit_all(tree.root(), [&](ProtobufCMessage& message) {
      const std::string name = message.descriptor->short_name;
      if (name == "Node") return;
      messages.insert(name);
      const auto* read = fields_read(name);
      ASSERT_NE(read, nullptr) << name;
      for (unsigned i = 0; i < message.descriptor->n_fields; ++i) {
        const ProtobufCFieldDescriptor& field = message.descriptor->fields[i];
        if (std::find(read->begin(), read->end(), field.name) != read->end()) continue;
        const Filled filled(message, field, tree.root());
        EXPECT_FALSE(tree.is_allowed()) << name << "." << field.name;
        ++fields;
      }
    });
  }
  EXPECT_EQ(messages.size(), 30u);  // all that are on the list
  EXPECT_GT(fields, 100);
}

TEST(AllowList, EveryOtherNodeIsRefused) {
  const Tree tree("SELECT a FROM t");
  PgQuery__Node& value = *tree.result->stmts[0]->stmt->select_stmt->target_list[0]->res_target->val;
  const PgQuery__Node saved = value;
  int refused = 0;
  for (unsigned i = 0; i < value.base.descriptor->n_fields; ++i) {
    const ProtobufCFieldDescriptor& field = value.base.descriptor->fields[i];
    const auto& type = *static_cast<const ProtobufCMessageDescriptor*>(field.descriptor);
    if (fields_read(type.short_name) != nullptr) continue;
    alignas(16) char empty[1024] = {};
    ASSERT_LE(type.sizeof_message, sizeof empty);
    type.message_init(reinterpret_cast<ProtobufCMessage*>(empty));
    value.node_case = static_cast<PgQuery__Node__NodeCase>(field.id);
    *reinterpret_cast<void**>(at(value.base, field.offset)) = empty;
    try {
      check_allowed(Text(""), tree.root());
      ADD_FAILURE() << type.short_name;
    } catch (const Error& error) {
      const bool statement = std::string_view(type.short_name).ends_with("Stmt");
      EXPECT_EQ(error.code(), statement ? Code::not_a_query : Code::not_supported) << type.short_name;
    }
    ++refused;
  }
  value = saved;
  EXPECT_EQ(refused, 238 - 30);
}

TEST(AllowList, DepthIsCountedExactly) {
  on_large_stack([] {
    const auto nested = [](int minuses) {
      std::string sql = "SELECT ";
      for (int i = 0; i < minuses; ++i) sql += "- ";
      return sql + "a FROM t";
    };
    // SelectStmt, ResTarget, the minuses, ColumnRef, String.
    EXPECT_TRUE(Tree(nested(kMostNodes - 4).c_str()).is_allowed());
    try {
      check_allowed(Text(""), Tree(nested(kMostNodes - 3).c_str()).root());
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::too_deep);
    }
  });
}

TEST(Places, CountLinesAndCharacters) {
  const Text text(
      "a\xC3\xA9"
      "b\nc");
  EXPECT_EQ(text.place(0), "1:1");
  EXPECT_EQ(text.place(3), "1:3");
  EXPECT_EQ(text.place(5), "2:1");
  EXPECT_EQ(text.place(500), "2:2");
  EXPECT_EQ(quoted("city_2"), "city_2");
  EXPECT_EQ(quoted("City"), "\"City\"");
  EXPECT_EQ(quoted("2a"), "\"2a\"");
  EXPECT_EQ(quoted("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(quoted(""), "\"\"");
}

}  // namespace
}  // namespace dither::sql
