// Things found by the literal their key starts with: one walk down the key meets all of them, however many there are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace keyfold::model {

// One thread at a time; thread-safe once no more is added.
class PrefixTree {
 public:
  PrefixTree() : nodes_(1) {}

  void Add(std::string_view literal, uint32_t id);

  // `take(id)` for everything whose literal `text` starts with, short literals first.
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
    std::string label;  // what leads here from the node above; its first byte is the edge's
    std::vector<Edge> edges;
    std::vector<uint32_t> ids;
  };
  // 0, the root, is no node's child: nothing goes on with that byte.
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
