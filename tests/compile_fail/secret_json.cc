// A secret cannot be serialised.
// Expect: conversion from|no viable conversion|could not convert
#include <nlohmann/json.hpp>
#include "base/secret.h"

void use(dither::Secret<int>& secret, int plain) {
#ifdef CONTROL
  nlohmann::json json = plain;
  (void)secret;
#else
  nlohmann::json json = secret;
  (void)plain;
#endif
}
