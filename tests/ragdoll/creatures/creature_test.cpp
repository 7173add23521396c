// Creatures: evolution gets them farther, the same genes move the same way, and what comes out is a character.
#include <doctest/doctest.h>

#include <sinew/ragdoll/creatures/creature.h>

using namespace sinew;

TEST_CASE("evolve_creature: the best gets farther than the plain one, and is a valid character with one clip") {
    for (const CreatureMedium medium : {CreatureMedium::ground, CreatureMedium::water}) {
        const EvolvedCreature best = evolve_creature({.medium = medium, .evaluations = 26, .seconds = 2.0});
        CHECK(best.distance > best.first_distance);
        CHECK(creature_distance(best.genes, medium, 2.0) == best.distance);
        CHECK(best.genes.numbers.size() == creature_gene_count(best.genes.plan));
        const Character shown = creature_character(best.genes, medium, 1.0);
        CHECK(validate(shown).has_value());
        REQUIRE(shown.clips.size() == 1);
        CHECK(duration(shown.clips[0]) == doctest::Approx(1.0));
    }
}
