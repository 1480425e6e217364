// Finds things by the literal that their key starts with. One walk along the key visits all of them, however many there
// are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace keyfold::model {

// Used by one thread at a time; thread-safe after the last Add.
class PrefixTree {
 public:
  PrefixTree() : nodes_(1) {}

  void Add(std::string_view literal, uint32_t id);

  // Calls `take(id)` for everything whose literal is a prefix of `text`, shortest first.
  template <typename Take>
  void Walk(std::string_view text, Take&& take) const {
    uint32_t node = 0;
    for (;;) {
      for (const uint32_t id : nodes_[node].ids) take(id);
      if (text.empty()) return;
      node = Step(node, text[0]);
      if (node == 0 || !text.starts_with(nodes_[node].label)) return;
      text.remove_prefix(nodes_[node].label.size());
    }
  }

 private:
  struct Edge {
    char byte = 0;
    uint32_t node = 0;
  };
  struct Node {
    std::string label;  // the text from the parent node to this one; its first byte is the edge's
    std::vector<Edge> edges;
    std::vector<uint32_t> ids;
  };
  // Returns 0 if there is no edge with that byte: the root is never a child.
  uint32_t Step(uint32_t node, char byte) const {
    for (const Edge& edge : nodes_[node].edges) {
      if (edge.byte == byte) return edge.node;
    }
    return 0;
  }
  uint32_t AddNode(uint32_t above, std::string label);
  void Split(uint32_t node, size_t at);

  std::vector<Node> nodes_;
};

}  // namespace keyfold::model
