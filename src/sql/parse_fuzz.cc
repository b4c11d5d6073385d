// Any bytes are parsed or refused by an Error with a place and a hint; nothing is moved by the rewriting.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sql/detail/bigquery.h"
#include "sql/detail/large_stack.h"
#include "sql/detail/parse_tree.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using dither::Code;
  const std::string typed(reinterpret_cast<const char*>(data), size);
  try {
    dither::sql::check_text(typed);
    dither::sql::on_large_stack([&] {
      const dither::sql::Text text(typed);
      const dither::sql::Rewritten rewritten = dither::sql::rewrite(text);
      require(rewritten.sql.size() == typed.size());
      const dither::sql::ParseTree tree(text, rewritten.sql, rewritten.tokens);
    });
  } catch (const dither::Error& error) {
    require(!error.hint().empty() && error.hint().size() < 1000 && std::string(error.what()).size() < 1000);
    const Code code = error.code();
    require(code != Code::private_rows && code != Code::unknown_column);  // those are the binder's
  }
  return 0;
}
