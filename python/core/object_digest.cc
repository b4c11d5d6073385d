#include "object_digest.h"

#include "object_column.h"

namespace dither::python {

namespace nb = nanobind;

bool ObjectDigest::add_common(nb::handle object) {
  if (object.is_none()) {
    digest_.add_null();
  } else if (PyBool_Check(object.ptr())) {
    digest_.add_boolean(object.is(Py_True));
  } else if (PyFloat_CheckExact(object.ptr())) {
    digest_.add_real(PyFloat_AS_DOUBLE(object.ptr()));
  } else if (PyUnicode_Check(object.ptr())) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    forget_error();  // half a surrogate pair
    bytes == nullptr ? digest_.add_null() : digest_.add_text({bytes, static_cast<std::size_t>(size)});
  } else {
    return false;
  }
  return true;
}

void ObjectDigest::add_tuple(nb::handle tuple) {
  const auto part = [&](Py_ssize_t at) { return PyTuple_GET_ITEM(tuple.ptr(), at); };
  if (PyTuple_GET_SIZE(tuple.ptr()) == 1) return digest_.add_moment(PyLong_AsLongLong(part(0)));
  const Int128 high = PyLong_AsLongLong(part(0));
  const auto low = static_cast<Int128>(PyLong_AsUnsignedLongLong(part(1)));
  digest_.add_decimal((high << 64) + low, static_cast<unsigned>(PyLong_AsLong(part(2))));
}

void ObjectDigest::add(nb::handle object) {
  if (!object) return digest_.add_null();
  const nb::object held = nb::borrow(object);
  if (add_common(held)) return;
  if (PyLong_CheckExact(held.ptr())) {
    int beyond = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(held.ptr(), &beyond);
    if (beyond == 0) return digest_.add_whole(whole);
  }
  const nb::object value = nb::steal(PyObject_CallOneArg(content_value_.ptr(), held.ptr()));
  forget_error();
  if (!value) return digest_.add_null();
  if (PyTuple_CheckExact(value.ptr())) return add_tuple(value);
  if (!add_common(value)) digest_.add_null();
}

}  // namespace dither::python
