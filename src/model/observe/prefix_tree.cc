#include "model/observe/prefix_tree.h"

#include <algorithm>
#include <utility>

namespace keyfold::model {

uint32_t PrefixTree::AddNode(uint32_t above, std::string label) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_[above].edges.push_back({label[0], node});
  nodes_.emplace_back().label = std::move(label);
  return node;
}

// The node keeps its place and the start of its label. Everything else moves to a new node below it.
void PrefixTree::Split(uint32_t node, size_t at) {
  Node below;
  below.label = nodes_[node].label.substr(at);
  below.edges = std::move(nodes_[node].edges);
  below.ids = std::move(nodes_[node].ids);
  nodes_[node].label.resize(at);
  nodes_[node].edges = {{below.label[0], static_cast<uint32_t>(nodes_.size())}};
  nodes_[node].ids.clear();
  nodes_.push_back(std::move(below));
}

void PrefixTree::Add(std::string_view literal, uint32_t id) {
  uint32_t node = 0;
  while (!literal.empty()) {
    const uint32_t next = Step(node, literal[0]);
    if (next == 0) {
      node = AddNode(node, std::string(literal));
      break;
    }
    const std::string& label = nodes_[next].label;
    const auto ends = std::mismatch(label.begin(), label.end(), literal.begin(), literal.end());
    const auto same = static_cast<size_t>(ends.first - label.begin());
    if (same < label.size()) Split(next, same);
    literal.remove_prefix(same);
    node = next;
  }
  nodes_[node].ids.push_back(id);
}

}  // namespace keyfold::model
