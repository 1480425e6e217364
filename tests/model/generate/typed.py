"""The shop as an application uses it, for mypy: what is typed wrong here must be refused, and nothing else."""
import app


def use(db: app.Db) -> list[str]:
    out: list[str] = []
    # Entities are distinguished by their name.
    for name, item in app.user_with_all(db, userId="u1"):
        out.append(name)
    user = app.get_user(db, userId="u1")
    user["name"]  # type: ignore[index]  # there may be no such user
    if user is not None:
        out.append(user["name"])
        user["total"]  # type: ignore[typeddict-item]  # a user has none
    # What the index does not project is not there.
    for order in app.pending_orders(db):
        out.append(order["createdAt"])
        order["region"]  # type: ignore[typeddict-item]
    cursor: str | None = None
    while True:
        page = app.user_orders(db, userId="u1", cursor=cursor)
        out += [one["createdAt"] for one in page.items]
        cursor = page.next
        if cursor is None:
            break
    app.order_key(userId="u1", createdAt="2024-01-15T10:30:00Z")  # type: ignore[call-arg]  # its number is missing
    line: app.PlaceOrderOrderItem = {"line": 1, "sku": "S-1", "qty": 2, "price": 1.5}
    app.place_order(
        db,
        userId="u1",
        createdAt="2024-01-15T10:30:00Z",
        orderId=1,
        status="lost",  # type: ignore[arg-type]  # there is no such status
        region="eu",
        total=1,
        version=1,
        order_items=[line],
        products=[],
    )
    # Attributes with a default may be left out, and keys are called as the model declares them.
    values: app.UserValues = {"userId": "u1", "name": "Ann", "email": "a@b", "plan": "pro"}
    app.create_user(db, **values)
    return out


class Endpoint:
    """A client needs only the methods that are called."""

    def query(self, **request: object) -> dict[str, object]:
        return {"Items": []}


app.connect(Endpoint())  # type: ignore[arg-type]  # the program calls more than query
