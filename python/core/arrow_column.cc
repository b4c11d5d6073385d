#include "arrow_column.h"

namespace dither::python {

namespace {

struct OwnedArray {
  std::vector<Bytes> owned;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

struct OwnedSchema {
  std::string name, format;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

template <class Part>
void release_children(Part* part) {
  for (std::int64_t i = 0; i < part->n_children; ++i) {
    if (part->children[i]->release != nullptr) part->children[i]->release(part->children[i]);
  }
}

void release_array(ArrowArray* array) {
  release_children(array);
  delete static_cast<OwnedArray*>(array->private_data);
  array->release = nullptr;
}

void release_schema(ArrowSchema* schema) {
  release_children(schema);
  delete static_cast<OwnedSchema*>(schema->private_data);
  schema->release = nullptr;
}

ArrowArray array_of(std::unique_ptr<OwnedArray> owned, std::int64_t rows, std::int64_t nulls) {
  for (ArrowArray& child : owned->children) owned->pointers.push_back(&child);
  ArrowArray array{};
  array.length = rows;
  array.null_count = nulls;
  array.n_buffers = static_cast<std::int64_t>(owned->buffers.size());
  array.n_children = static_cast<std::int64_t>(owned->children.size());
  array.buffers = owned->buffers.data();
  array.children = owned->pointers.data();
  array.release = release_array;
  array.private_data = owned.release();
  return array;
}

ArrowSchema schema_of(std::unique_ptr<OwnedSchema> owned) {
  for (ArrowSchema& child : owned->children) owned->pointers.push_back(&child);
  ArrowSchema schema{};
  schema.format = owned->format.c_str();
  schema.name = owned->name.c_str();
  schema.flags = ARROW_FLAG_NULLABLE;
  schema.n_children = static_cast<std::int64_t>(owned->children.size());
  schema.children = owned->pointers.data();
  schema.release = release_schema;
  schema.private_data = owned.release();
  return schema;
}

struct RenamedSchema {
  ArrowSchema of;
  std::string name;
};

void release_renamed(ArrowSchema* schema) {
  auto* renamed = static_cast<RenamedSchema*>(schema->private_data);
  renamed->of.release(&renamed->of);
  delete renamed;
  schema->release = nullptr;
}

// Hands out each of its two parts once.
struct OneChunk {
  ArrowSchema schema{};
  ArrowArray array{};
  ~OneChunk() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
};

template <class Part>
int move_out(Part& part, Part* out) {
  *out = part;
  part.release = nullptr;
  return 0;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return move_out(static_cast<OneChunk*>(stream->private_data)->schema, out);
}
int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return move_out(static_cast<OneChunk*>(stream->private_data)->array, out);
}
const char* get_last_error(ArrowArrayStream* /*stream*/) { return nullptr; }
void release_stream(ArrowArrayStream* stream) {
  delete static_cast<OneChunk*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void ArrowColumn::hand_over(ArrowSchema& schema, ArrowArray& array) && {
  auto owned = std::make_unique<OwnedArray>();
  owned->buffers.push_back(nulls_ == 0 ? nullptr : valid_.get());
  owned->owned.push_back(std::move(valid_));
  for (Bytes& buffer : buffers_) {
    owned->buffers.push_back(buffer.get());
    owned->owned.push_back(std::move(buffer));
  }
  array = array_of(std::move(owned), rows_, nulls_);
  auto words = std::make_unique<OwnedSchema>();
  words->name = std::move(name_);
  words->format = std::move(format_);
  schema = schema_of(std::move(words));
}

ArrowSchema renamed(const ArrowSchema& schema, std::string name) {
  auto owned = std::make_unique<RenamedSchema>(RenamedSchema{schema, std::move(name)});
  ArrowSchema result = schema;
  result.name = owned->name.c_str();
  result.release = release_renamed;
  result.private_data = owned.release();
  return result;
}

void make_stream(std::vector<ArrowSchema> schemas, std::vector<ArrowArray> arrays, std::int64_t rows,
                 ArrowArrayStream& stream) {
  auto columns = std::make_unique<OwnedArray>();
  columns->buffers.push_back(nullptr);
  columns->children = std::move(arrays);
  auto words = std::make_unique<OwnedSchema>();
  words->format = "+s";
  words->children = std::move(schemas);
  auto chunk = std::make_unique<OneChunk>();
  chunk->array = array_of(std::move(columns), rows, 0);
  chunk->schema = schema_of(std::move(words));
  stream = {get_schema, get_next, get_last_error, release_stream, chunk.release()};
}

}  // namespace dither::python
