"""The order that a history of transactions implies, as a graph: by time, and by what serializable.py derives from the responses."""
import bisect
import collections

INFINITY = float("inf")


class Graph:
    """Transactions, and moments in time between them, so that order in time needs few edges. One thread at a time."""

    def __init__(self, transactions):
        self.transactions = transactions
        ends = sorted((one.end, one.number) for one in transactions if one.end < INFINITY)
        count = 1 + max((one.number for one in transactions), default=0)
        self.next = [[] for _ in range(count + len(ends))]
        self.times = [-INFINITY] * count + [end for end, _ in ends]  # the earliest time of a node
        for one in transactions:
            self.times[one.number] = one.invoke
        for at, (_, number) in enumerate(ends):
            self.next[number].append(count + at)
            if at > 0:
                self.next[count + at - 1].append(count + at)
        moments = [end for end, _ in ends]
        for one in transactions:
            at = bisect.bisect_left(moments, one.invoke) - 1
            if at >= 0:
                self.next[count + at].append(one.number)

    def add(self, earlier, later):
        if earlier is not later:
            self.next[earlier.number].append(later.number)

    def reaches(self, sources, targets):
        """Returns whether one of `targets` must come after one of `sources`."""
        wanted = {one.number for one in targets}
        latest = max(one.end for one in targets)
        todo = [one.number for one in sources]
        seen = set(todo)
        while todo:
            for node in self.next[todo.pop()]:
                if node in wanted:
                    return True
                if node not in seen and self.times[node] <= latest:
                    seen.add(node)
                    todo.append(node)
        return False

    def find_cycle(self):
        """Returns the transactions of some cycle, or nothing."""
        degree = [0] * len(self.next)
        for nodes in self.next:
            for node in nodes:
                degree[node] += 1
        todo = [node for node, count in enumerate(degree) if count == 0]
        while todo:
            for node in self.next[todo.pop()]:
                degree[node] -= 1
                if degree[node] == 0:
                    todo.append(node)
        left = {node for node, count in enumerate(degree) if count > 0}
        return self.shortest_cycle(left) if left else []

    def shortest_cycle(self, left):
        """Returns the shortest of the cycles through some of the remaining nodes."""
        best = []
        by_number = {one.number: one for one in self.transactions}
        for start in sorted(left & by_number.keys())[:200]:
            came, todo = {start: None}, collections.deque([start])
            while todo:
                node = todo.popleft()
                if start in self.next[node]:
                    path = [node]
                    while came[path[-1]] is not None:
                        path.append(came[path[-1]])
                    if not best or len(path) < len(best):
                        best = path
                    break
                for follower in self.next[node]:
                    if follower in left and follower not in came:
                        came[follower] = node
                        todo.append(follower)
        return [by_number[node] for node in reversed(best) if node in by_number]
