// The room's public face: where bytes come from, every sampler, and the laws they follow.
#pragma once

#include "random/bernoulli.h"
#include "random/binomial.h"
#include "random/categorical.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/geometric.h"
#include "random/moments.h"
#include "random/pmf.h"
#include "random/poisson.h"
#include "random/real_cdf.h"
#include "random/real_noise.h"
#include "random/source.h"
#include "random/subset.h"
#include "random/truncated_geometric.h"
#include "random/uniform.h"
#include "random/weighted_choice.h"
