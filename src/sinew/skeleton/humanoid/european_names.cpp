#include <sinew/skeleton/humanoid/european_names.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

namespace sinew {
namespace {

struct Entry {
    std::string_view word, english;  // without accents, in lower case
};

constexpr Entry sides[] = {{"gauche", "left"},    {"droit", "right"},   {"droite", "right"},  {"links", "left"},
                           {"rechts", "right"},   {"linker", "left"},   {"rechter", "right"}, {"linkes", "left"},
                           {"rechtes", "right"},  {"linke", "left"},    {"rechte", "right"},  {"izquierda", "left"},
                           {"izquierdo", "left"}, {"izq", "left"},      {"derecha", "right"}, {"derecho", "right"},
                           {"sinistra", "left"},  {"sinistro", "left"}, {"destra", "right"},  {"destro", "right"},
                           {"esquerda", "left"},  {"esquerdo", "left"}, {"direita", "right"}, {"direito", "right"}};

// Words that mean something else in English, or are part of it.
constexpr Entry beside_a_side[] = {{"main", "hand"}, {"pie", "foot"},    {"pe", "foot"},     {"ala", "wing"},
                                   {"dos", "spine"}, {"pouce", "thumb"}, {"coude", "elbow"}, {"bras", "arm"},
                                   {"arme", "weapon"}};

constexpr Entry french[] = {
    {"jambe", "leg"},      {"cuisse", "thigh"},        {"mollet", "calf"},     {"genou", "knee"},
    {"cheville", "ankle"}, {"pied", "foot"},           {"orteil", "toe"},      {"orteils", "toes"},
    {"talon", "heel"},     {"avantbras", "lower arm"}, {"epaule", "shoulder"}, {"clavicule", "clavicle"},
    {"poignet", "wrist"},  {"paume", "palm"},          {"doigt", "finger"},    {"majeur", "middle"},
    {"annulaire", "ring"}, {"auriculaire", "little"},  {"cou", "neck"},        {"nuque", "neck"},
    {"tete", "head"},      {"machoire", "jaw"},        {"oeil", "eye"},        {"bassin", "pelvis"},
    {"hanche", "hip"},     {"hanches", "hips"},        {"torse", "torso"},     {"colonne", "spine"},
    {"poitrine", "chest"}, {"ventre", "abdomen"},      {"queue", "tail"},      {"aile", "wing"},
    {"patte", "leg"},      {"avant", "fore"},          {"arriere", "hind"},    {"cheveux", "hair"},
    {"pagne", "cloth"},    {"jupe", "skirt"},          {"oreille", "ear"}};

constexpr Entry german[] = {{"bein", "leg"},
                            {"oberschenkel", "thigh"},
                            {"unterschenkel", "shin"},
                            {"knie", "knee"},
                            {"knochel", "ankle"},
                            {"knoechel", "ankle"},
                            {"fuss", "foot"},
                            {"ferse", "heel"},
                            {"zeh", "toe"},
                            {"zehe", "toe"},
                            {"zehen", "toes"},
                            {"schulter", "shoulder"},
                            {"schlusselbein", "clavicle"},
                            {"schluesselbein", "clavicle"},
                            {"oberarm", "upper arm"},
                            {"unterarm", "lower arm"},
                            {"ellbogen", "elbow"},
                            {"ellenbogen", "elbow"},
                            {"handgelenk", "wrist"},
                            {"daumen", "thumb"},
                            {"zeigefinger", "index"},
                            {"mittelfinger", "middle"},
                            {"ringfinger", "ring"},
                            {"hals", "neck"},
                            {"nacken", "neck"},
                            {"kopf", "head"},
                            {"kiefer", "jaw"},
                            {"auge", "eye"},
                            {"becken", "pelvis"},
                            {"hufte", "hips"},
                            {"huefte", "hips"},
                            {"wirbelsaule", "spine"},
                            {"wirbelsaeule", "spine"},
                            {"rucken", "spine"},
                            {"ruecken", "spine"},
                            {"brust", "chest"},
                            {"bauch", "abdomen"},
                            {"schwanz", "tail"},
                            {"flugel", "wing"},
                            {"fluegel", "wing"},
                            {"haare", "hair"},
                            {"ohr", "ear"}};

constexpr Entry romance[] = {{"pierna", "leg"},
                             {"muslo", "thigh"},
                             {"rodilla", "knee"},
                             {"pantorrilla", "calf"},
                             {"tobillo", "ankle"},
                             {"brazo", "arm"},
                             {"antebrazo", "lower arm"},
                             {"hombro", "shoulder"},
                             {"codo", "elbow"},
                             {"muneca", "wrist"},
                             {"mano", "hand"},
                             {"pulgar", "thumb"},
                             {"dedo", "finger"},
                             {"cuello", "neck"},
                             {"cabeza", "head"},
                             {"mandibula", "jaw"},
                             {"ojo", "eye"},
                             {"cadera", "hips"},
                             {"caderas", "hips"},
                             {"columna", "spine"},
                             {"espalda", "spine"},
                             {"pecho", "chest"},
                             {"cola", "tail"},
                             {"pelo", "hair"},
                             {"gamba", "leg"},
                             {"coscia", "thigh"},
                             {"ginocchio", "knee"},
                             {"polpaccio", "calf"},
                             {"caviglia", "ankle"},
                             {"piede", "foot"},
                             {"braccio", "arm"},
                             {"avambraccio", "lower arm"},
                             {"spalla", "shoulder"},
                             {"gomito", "elbow"},
                             {"polso", "wrist"},
                             {"pollice", "thumb"},
                             {"dito", "finger"},
                             {"collo", "neck"},
                             {"testa", "head"},
                             {"mascella", "jaw"},
                             {"occhio", "eye"},
                             {"bacino", "pelvis"},
                             {"anca", "hip"},
                             {"schiena", "spine"},
                             {"petto", "chest"},
                             {"coda", "tail"},
                             {"capelli", "hair"},
                             {"perna", "leg"},
                             {"coxa", "thigh"},
                             {"joelho", "knee"},
                             {"canela", "shin"},
                             {"tornozelo", "ankle"},
                             {"braco", "arm"},
                             {"antebraco", "lower arm"},
                             {"ombro", "shoulder"},
                             {"cotovelo", "elbow"},
                             {"pulso", "wrist"},
                             {"mao", "hand"},
                             {"polegar", "thumb"},
                             {"pescoco", "neck"},
                             {"cabeca", "head"},
                             {"olho", "eye"},
                             {"quadril", "hips"},
                             {"coluna", "spine"},
                             {"peito", "chest"},
                             {"cauda", "tail"},
                             {"cabelo", "hair"},
                             {"clavicula", "clavicle"}};

std::string_view find_word(std::span<const Entry> entries, std::string_view word) {
    const auto found = std::ranges::find(entries, word, &Entry::word);
    return found == entries.end() ? std::string_view() : found->english;
}

// The plain letters for the accented one that begins here, as lower case, and how many bytes it takes; 0: none does.
struct Letter {
    std::string_view plain;
    size_t bytes = 0;
    bool upper = false;
};

Letter read_letter(std::string_view text) {
    static constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz";
    const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned c = byte(0);
    if (std::isalpha(static_cast<int>(c)) && c < 0x80)
        return {alphabet.substr(static_cast<size_t>(std::tolower(static_cast<int>(c)) - 'a'), 1), 1, c < 'a'};
    if (c == 0xCC || (c == 0xCD && byte(1) < 0xB0)) return {{}, 2};  // an accent of its own, behind its letter
    if (c == 0xC5 && (byte(1) == 0x92 || byte(1) == 0x93)) return {"oe", 2, byte(1) == 0x92};
    if (c != 0xC3) return {};
    if (byte(1) == 0x9F) return {"ss", 2};
    // U+00C0 to U+00DE are capitals, U+00E0 to U+00FE the same in lower case; '.' stands for what is no letter of ours.
    static constexpr std::string_view latin = "aaaaaa.ceeeeiiii.nooooo..uuuuy..";
    const unsigned at = byte(1) & 0x1Fu;
    if (byte(1) < 0x80 || latin[at] == '.') return {};
    return {latin.substr(at, 1), 2, byte(1) < 0xA0};
}

// A run of letters in a name, and the same without accents, in lower case. Words begin at capitals.
struct Word {
    size_t first = 0, end = 0;
    std::string plain;
};

std::vector<Word> find_words(std::string_view name) {
    std::vector<Word> words;
    bool within = false, after_lower = false;
    for (size_t i = 0; i < name.size();) {
        const Letter letter = read_letter(name.substr(i));
        if (letter.bytes == 0) {
            within = false;
            ++i;
            continue;
        }
        if (!within || (letter.upper && after_lower)) words.push_back({i, i, {}});
        within = true;
        after_lower = !letter.upper;
        words.back().plain += letter.plain;
        i += letter.bytes;
        words.back().end = i;
    }
    return words;
}

}  // namespace

std::string from_european(std::string_view name) {
    const std::vector<Word> words = find_words(name);
    const bool sided =
        std::ranges::any_of(words, [](const Word& word) { return !find_word(sides, word.plain).empty(); });
    std::string english;
    size_t done = 0;
    for (const Word& word : words) {
        std::string_view meaning = find_word(sides, word.plain);
        for (const std::span<const Entry> entries :
             {std::span<const Entry>(french), std::span<const Entry>(german), std::span<const Entry>(romance)})
            if (meaning.empty()) meaning = find_word(entries, word.plain);
        if (meaning.empty() && sided) meaning = find_word(beside_a_side, word.plain);
        if (meaning.empty()) continue;
        english += name.substr(done, word.first - done);
        english += ' ';
        english += meaning;
        english += ' ';
        done = word.end;
    }
    if (done == 0) return std::string(name);
    english += name.substr(done);
    return english;
}

}  // namespace sinew
