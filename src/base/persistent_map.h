// PersistentMap: a sorted map whose copies share their entries. Copying one copies a pointer, and a change creates only
// the nodes on the path to the changed entry, so keeping an old version next to a new one costs the same however many
// entries there are. It is an AVL tree of immutable nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "base/check.h"

namespace keyfold {

// Keys are strings or integers; strings can be looked up by string_view. A map is used by one thread at a time, but
// copies may be used on other threads. Iterators, and references to entries, are valid until the map they came from
// changes.
template <typename Key, typename Value>
class PersistentMap {
  struct Node;
  using NodePtr = std::shared_ptr<const Node>;
  // The type by which keys are looked up.
  using Sought = std::conditional_t<std::is_convertible_v<const Key&, std::string_view>, std::string_view, Key>;

 public:
  using value_type = std::pair<const Key, Value>;

  class const_iterator {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = PersistentMap::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    const_iterator() = default;
    reference operator*() const { return *path_[depth_ - 1]->entry; }
    pointer operator->() const { return path_[depth_ - 1]->entry.get(); }
    bool operator==(const const_iterator& other) const { return Here() == other.Here(); }

    const_iterator& operator++() { return Step(&Node::left, &Node::right); }
    const_iterator& operator--() {
      if (depth_ > 0) return Step(&Node::right, &Node::left);
      for (const Node* node = root_; node != nullptr; node = node->right.get()) Push(node);
      return *this;
    }
    const_iterator operator++(int) {
      const_iterator before = *this;
      ++*this;
      return before;
    }
    const_iterator operator--(int) {
      const_iterator before = *this;
      --*this;
      return before;
    }

   private:
    friend class PersistentMap;
    using Side = NodePtr Node::*;

    explicit const_iterator(const Node* root) : root_(root) {}
    const Node* Here() const { return depth_ == 0 ? nullptr : path_[depth_ - 1]; }
    void Push(const Node* node) {
      CHECK(depth_ < path_.size());
      path_[depth_++] = node;
    }
    // Moves to the next entry in the direction of `onward`.
    const_iterator& Step(Side back, Side onward) {
      const Node* node = Here();
      if (const Node* next = (node->*onward).get()) {
        for (; next != nullptr; next = (next->*back).get()) Push(next);
        return *this;
      }
      do {
        node = path_[--depth_];
      } while (depth_ > 0 && (path_[depth_ - 1]->*onward).get() == node);
      return *this;
    }

    static constexpr size_t kHeightMax = 48;  // height of an AVL tree with 2^32 entries
    const Node* root_ = nullptr;
    std::array<const Node*, kHeightMax> path_{};  // from the root to the entry; empty at end()
    size_t depth_ = 0;
  };
  using iterator = const_iterator;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const_iterator begin() const {
    const_iterator it(root_.get());
    for (const Node* node = root_.get(); node != nullptr; node = node->left.get()) it.Push(node);
    return it;
  }
  const_iterator end() const { return const_iterator(root_.get()); }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }

  // Returns null if the key is absent.
  const Value* Get(const Sought& key) const {
    for (const Node* node = root_.get(); node != nullptr;) {
      const int order = Compare(key, node->entry->first);
      if (order == 0) return &node->entry->second;
      node = order < 0 ? node->left.get() : node->right.get();
    }
    return nullptr;
  }
  bool contains(const Sought& key) const { return Get(key) != nullptr; }
  const Value& at(const Sought& key) const {
    const Value* value = Get(key);
    CHECK(value != nullptr);
    return *value;
  }
  const_iterator find(const Sought& key) const {
    const_iterator it = lower_bound(key);
    return it.depth_ > 0 && Compare(key, it->first) == 0 ? it : end();
  }
  // The first entry that is not before `key`, and the first entry after it.
  const_iterator lower_bound(const Sought& key) const { return FirstFrom(key, 0); }
  const_iterator upper_bound(const Sought& key) const { return FirstFrom(key, 1); }

  // Adds the entry, or replaces the one with the same key.
  void Put(Key key, Value value) {
    bool added = false;
    root_ = PutBelow(root_, std::make_shared<const value_type>(std::move(key), std::move(value)), added);
    size_ += added;
  }
  // Returns whether the key was present.
  bool Erase(const Sought& key) {
    bool erased = false;
    root_ = EraseBelow(root_, key, erased);
    size_ -= erased;
    return erased;
  }

  // For tests: the number of nodes not shared with `other`, which is the cost of the changes between them.
  size_t NodesNotIn(const PersistentMap& other) const {
    std::unordered_set<const Node*> theirs;
    Collect(other.root_.get(), theirs);
    return CountOthers(root_.get(), theirs);
  }

 private:
  using EntryPtr = std::shared_ptr<const value_type>;
  struct Node {
    EntryPtr entry;
    NodePtr left, right;
    uint8_t height = 1;
  };

  static int Compare(const Sought& a, const Sought& b) {
    if constexpr (std::is_same_v<Sought, std::string_view>) {
      return a.compare(b);
    } else {
      return a < b ? -1 : a > b;
    }
  }

  static int Height(const NodePtr& node) { return node ? node->height : 0; }

  static NodePtr Make(EntryPtr entry, NodePtr left, NodePtr right) {
    const int height = 1 + std::max(Height(left), Height(right));
    return std::make_shared<const Node>(
        Node{std::move(entry), std::move(left), std::move(right), static_cast<uint8_t>(height)});
  }
  // The heights of `left` and `right` differ by at most two.
  static NodePtr MakeBalanced(EntryPtr entry, NodePtr left, NodePtr right) {
    if (Height(left) > Height(right) + 1) {
      if (Height(left->left) >= Height(left->right)) {
        return Make(left->entry, left->left, Make(std::move(entry), left->right, std::move(right)));
      }
      const Node& middle = *left->right;
      return Make(middle.entry, Make(left->entry, left->left, middle.left),
                  Make(std::move(entry), middle.right, std::move(right)));
    }
    if (Height(right) > Height(left) + 1) {
      if (Height(right->right) >= Height(right->left)) {
        return Make(right->entry, Make(std::move(entry), std::move(left), right->left), right->right);
      }
      const Node& middle = *right->left;
      return Make(middle.entry, Make(std::move(entry), std::move(left), middle.left),
                  Make(right->entry, middle.right, right->right));
    }
    return Make(std::move(entry), std::move(left), std::move(right));
  }

  static NodePtr PutBelow(const NodePtr& node, EntryPtr entry, bool& added) {
    if (!node) {
      added = true;
      return Make(std::move(entry), nullptr, nullptr);
    }
    const int order = Compare(entry->first, node->entry->first);
    if (order == 0) return Make(std::move(entry), node->left, node->right);
    if (order < 0) return MakeBalanced(node->entry, PutBelow(node->left, std::move(entry), added), node->right);
    return MakeBalanced(node->entry, node->left, PutBelow(node->right, std::move(entry), added));
  }

  static NodePtr EraseBelow(const NodePtr& node, const Sought& key, bool& erased) {
    if (!node) return nullptr;
    const int order = Compare(key, node->entry->first);
    if (order != 0) {
      NodePtr below = EraseBelow(order < 0 ? node->left : node->right, key, erased);
      if (!erased) return node;
      return order < 0 ? MakeBalanced(node->entry, std::move(below), node->right)
                       : MakeBalanced(node->entry, node->left, std::move(below));
    }
    erased = true;
    if (!node->left) return node->right;
    if (!node->right) return node->left;
    EntryPtr next;
    NodePtr rest = TakeFirst(node->right, next);
    return MakeBalanced(std::move(next), node->left, std::move(rest));
  }
  static NodePtr TakeFirst(const NodePtr& node, EntryPtr& first) {
    if (!node->left) {
      first = node->entry;
      return node->right;
    }
    NodePtr rest = TakeFirst(node->left, first);
    return MakeBalanced(node->entry, std::move(rest), node->right);
  }

  // The first entry whose comparison with `key` gives `least` or more.
  const_iterator FirstFrom(const Sought& key, int least) const {
    const_iterator it(root_.get());
    size_t found = 0;
    for (const Node* node = root_.get(); node != nullptr;) {
      it.Push(node);
      const bool before = -Compare(key, node->entry->first) < least;
      if (!before) found = it.depth_;
      node = before ? node->right.get() : node->left.get();
    }
    it.depth_ = found;
    return it;
  }

  static void Collect(const Node* node, std::unordered_set<const Node*>& nodes) {
    if (node == nullptr) return;
    nodes.insert(node);
    Collect(node->left.get(), nodes);
    Collect(node->right.get(), nodes);
  }
  static size_t CountOthers(const Node* node, const std::unordered_set<const Node*>& known) {
    if (node == nullptr || known.contains(node)) return 0;
    return 1 + CountOthers(node->left.get(), known) + CountOthers(node->right.get(), known);
  }

  NodePtr root_;
  size_t size_ = 0;
};

}  // namespace keyfold
