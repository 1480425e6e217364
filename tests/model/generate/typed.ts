// The shop as an application uses it, for the compiler: what is typed wrong here must be refused, and nothing else.
import { ConditionFailed, connect, orderKey, placeOrder, pendingOrders, userOrders, userWithAll, type Order } from "./app.js";

export async function use(db: ReturnType<typeof connect>): Promise<string[]> {
  const out: string[] = [];
  // Entities are distinguished by their name.
  for await (const { entity, item } of userWithAll(db, { userId: "u1" })) {
    if (entity === "Order") out.push(item.total, item.status);
    if (entity === "Address") out.push(item.city);
    // @ts-expect-error: a User has no total
    if (entity === "User") out.push(item.total);
  }
  // What the index does not project is not there.
  for await (const order of pendingOrders(db)) {
    out.push(order.total, order.createdAt);
    // @ts-expect-error: region is not projected
    out.push(order.region);
  }
  let cursor: string | undefined;
  do {
    const page: { items: Order[]; next: string | undefined } = await userOrders(db, { userId: "u1" }, cursor);
    cursor = page.next;
  } while (cursor);
  // @ts-expect-error: an order's key needs its number
  orderKey({ userId: "u1", createdAt: new Date() });
  const none = { userId: "u1", createdAt: new Date(), orderId: 1, region: "eu", total: "1.50", version: 1, orderItems: [], products: [] };
  await placeOrder(db, { ...none, status: "paid" });
  // @ts-expect-error: there is no such status
  await placeOrder(db, { ...none, status: "lost" });
  // A refused write says which of its conditions did not hold.
  try {
    await placeOrder(db, { ...none, status: "paid" });
  } catch (error) {
    if (error instanceof ConditionFailed) out.push(...error.failed.map(({ entity, index }) => entity + index.toFixed()));
  }
  return out;
}
