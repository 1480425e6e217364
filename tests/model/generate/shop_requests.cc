// The shop's header in a program: the requests of some patterns, one a line, for the server.
#include <cstdio>

#include "app.h"

namespace {

void Print(const app::Request& request) { std::printf("%s %s\n", request.operation.c_str(), request.body.c_str()); }

}  // namespace

int main() {
  Print(app::createTable());
  app::PlaceOrderInput order;
  order.userId = "u\"1";
  order.createdAt = "2024-01-15T10:30:00Z";
  order.orderId = 1001;
  order.status = "pending";
  order.region = "eu";
  order.total = "59.70";
  order.version = 1;
  order.orderItems = {{.line = 1, .sku = "S-1", .qty = 2, .price = 19.9}};
  Print(app::placeOrder(order));
  for (const app::Request& request : app::pendingOrders()) Print(request);
  Print(app::ordersByDate({.userId = "u\"1", .from = "2024-01", .to = "2024-01"}));
  Print(app::shipOrder({.userId = "u\"1",
                        .createdAt = "2024-01-15T10:30:00Z",
                        .orderId = 1001,
                        .status = "shipped",
                        .version = 1,
                        .at = "2024-01-16T00:00:00Z",
                        .carrier = "dhl",
                        .tracking = "T1"}));
  for (const app::Request& request : app::pendingOrders()) Print(request);
  Print(app::createSession({.sessionId = "s1", .userId = "u1", .expiresAt = {}}));
  Print(app::putReading({.deviceId = "d1", .at = "2024-02-29T23:00:00.500Z", .temp = -0.5}));
  for (const app::Request& request :
       app::lastHour({.deviceId = "d1", .from = "2024-02-29T22:30:00Z", .to = "2024-03-01T00:30:00Z"})) {
    Print(request);
  }
  return 0;
}
