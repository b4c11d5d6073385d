"""Events to and from the real dp-accounting, by name and by number.

Used by `./dev crosscheck accounting`: runs inside the environment of the peers, with our package unpacked on its path.
Prints what went wrong, line by line, then how much was asked; exits with 1 when something did.
"""
import sys
import warnings
from dataclasses import replace
from fractions import Fraction

sys.path.pop(0)  # this folder: its modules are not the libraries of that name

import dp_accounting  # noqa: E402
from dp_accounting import NeighboringRelation, dp_event  # noqa: E402
from dp_accounting.pld import PLDAccountant  # noqa: E402

import dither  # noqa: E402
from dither.accounting import DiscreteLaplace, Gaussian, Laplace, Zcdp, compose  # noqa: E402
from dither.interop import from_dp_accounting, to_dp_accounting  # noqa: E402

DELTA = 1e-6
NEAR = 1.01  # their epsilon is rounded up on a grid, ours is certified

# Ours, and whether their accountant by privacy loss distributions knows them.
OURS = [
    (compose([]), False), (Gaussian(sigma=1.5), True), (Laplace(scale="1/4"), True),
    (DiscreteLaplace(scale=4, sensitivity=2), True), (Zcdp(rho=0.5), False),
    (Gaussian(sigma=1).subsample(poisson=0.01).times(1000), True),
    (Gaussian(sigma=1).subsample(without_replacement=100, population=50_000), False),
    (Gaussian(sigma=1).subsample(with_replacement=100, population=50_000).times(3), False),
    (Gaussian(sigma=1).subsample(poisson=0.01, max_batch=80, population=5000), False),
    (Gaussian(sigma=8).times(10) + Laplace(scale=20) + DiscreteLaplace(scale=32).times(2), True),
]
# Theirs.
SAMPLED = dp_event.PoissonSampledDpEvent(0.02, dp_event.GaussianDpEvent(0.7))
THEIRS = [
    dp_event.NoOpDpEvent(), dp_event.GaussianDpEvent(0.1), dp_event.LaplaceDpEvent(1 / 3),
    dp_event.DiscreteLaplaceDpEvent(0.25, 3), dp_event.SelfComposedDpEvent(SAMPLED, 500), dp_event.ZCDpEvent(0.3),
    dp_event.SampledWithReplacementDpEvent(1000, 10, dp_event.GaussianDpEvent(2.0)),
    dp_event.SampledWithoutReplacementDpEvent(1000, 10, dp_event.LaplaceDpEvent(2.0)),
    dp_event.TruncatedSubsampledGaussianDpEvent(5000, 0.01, 80, 1.2),
    dp_event.ComposedDpEvent([SAMPLED, dp_event.SelfComposedDpEvent(dp_event.LaplaceDpEvent(4.0), 7)]),
]
REFUSED = {  # by name, with the members they need
    "NonPrivateDpEvent": (), "UnsupportedDpEvent": (), "SingleEpochTreeAggregationDpEvent": (1.0, 3),
    "RepeatAndSelectDpEvent": (dp_event.GaussianDpEvent(1.0), 2.0, 1.0),
    "MixtureOfGaussiansDpEvent": (1.0, [0.0, 1.0], [0.5, 0.5]),
}


def from_ours(releases, accountant_knows):
    """What is wrong when these go there and come back."""
    there = to_dp_accounting(releases, dp_accounting)
    if not isinstance(there, dp_event.DpEvent):
        yield f"{releases!r} became no event of theirs: {there!r}"
    for way in (there, there.to_named_tuple(), dp_event.DpEvent.from_named_tuple(there.to_named_tuple())):
        if replace(back := from_dp_accounting(way), neighbours=None) != releases:
            yield f"{releases!r} came back as {back!r}"
    if accountant_knows:
        accountant = PLDAccountant()
        accountant.compose(there)
        own, other = releases.epsilon(delta=DELTA, neighbours="add-remove"), accountant.get_epsilon(DELTA)
        if not own.lower * (1 - 1e-9) <= other <= own.upper * NEAR:
            yield f"{releases!r}: epsilon {other} there, {own.lower} to {own.upper} here"


def from_theirs(event):
    """What is wrong when this comes here and goes back."""
    again = to_dp_accounting(from_dp_accounting(event, neighbours="add-remove"), dp_accounting, neighbours="add-remove")
    if again != event:
        yield f"{event!r} went back as {again!r}"


def relations():
    """Where the same event costs another epsilon here, under each relation."""
    seven = dp_event.SelfComposedDpEvent(dp_event.GaussianDpEvent(5.0), 7)
    for event in (dp_event.GaussianDpEvent(2.0), seven, SAMPLED):
        for there, here in ((NeighboringRelation.ADD_OR_REMOVE_ONE, "add-remove"),
                            (NeighboringRelation.REPLACE_ONE, "replace-one")):
            accountant = PLDAccountant(there)
            accountant.compose(event)
            own, other = from_dp_accounting(event, neighbours=here).epsilon(delta=DELTA), accountant.get_epsilon(DELTA)
            if not own.lower * (1 - 1e-9) <= other <= own.upper * NEAR:
                yield f"{event!r} under {here}: epsilon {other} there, {own.lower} to {own.upper} here"


def randomised_response():
    """Its number is another there (a probability, here epsilon), so it comes back within the last digits."""
    event = dp_event.RandomizedResponseDpEvent(0.5, 4)
    again = to_dp_accounting(from_dp_accounting(event), dp_accounting)
    if again.num_buckets != 4 or not 0.5 * (1 - 1e-12) <= again.noise_parameter <= 0.5:
        yield f"{event!r} went back as {again!r}"


def a_third():
    """It is no double, and becomes the next one with less noise."""
    there = to_dp_accounting(Laplace(scale="10/3"), dp_accounting)
    if not 0 <= Fraction(10, 3) - Fraction(there.noise_multiplier) < Fraction(1, 2**50):
        yield f"Laplace noise of scale 10/3 became {there!r}"


def refused(name, members):
    try:
        found = from_dp_accounting(getattr(dp_event, name)(*members))
    except dither.BadInput as error:
        if name not in error.message:
            yield f"{name} is refused without its name: {error.message}"
    else:
        yield f"{name} is read as {found!r}"


def unknown_classes():
    """Events that this release of theirs has and that nothing above asks for."""
    asked = {type(event).__name__ for event in THEIRS} | set(REFUSED)
    asked |= {"DpEvent", "RandomizedResponseDpEvent", "PoissonSampledDpEvent"}
    classes = {name for name, kind in vars(dp_event).items() if isinstance(kind, type)
               and issubclass(kind, dp_event.DpEvent)}
    return [f"they have {name}, which nothing here asks for" for name in sorted(classes - asked)]


def main():
    warnings.simplefilter("ignore")
    wrong = [text for case in OURS for text in from_ours(*case)]
    wrong += [text for event in THEIRS for text in from_theirs(event)]
    wrong += [text for case in REFUSED.items() for text in refused(*case)]
    wrong += [*relations(), *randomised_response(), *a_third(), *unknown_classes()]
    for text in wrong:
        print(f"DIFFERS: {text}")
    print(f"events of dp-accounting: {len(OURS) + 1} there and back, {len(THEIRS) + 1} here and back, {len(REFUSED)} "
          f"refused by name; {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
