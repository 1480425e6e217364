// What happens when a server reaches its limit of connections or of bytes in flight.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/server.h"
#include "testing/http/held_requests.h"
#include "testing/http/raw_client.h"
#include "testing/http/test_server.h"

namespace keyfold::http {
namespace {

using std::chrono::milliseconds;

constexpr size_t kMegabyte = 1 << 20;

ServerOptions CrowdedOptions() {
  ServerOptions options;
  options.port = 0;
  options.loops = 2;
  options.connections_max = 16;
  options.bytes_in_flight_max = 8 * kMegabyte;
  return options;
}

// The path "/known" is requested by a client that has authenticated; "/big" asks for 4 MB.
void ServeCrowd(Request& request, Responder responder) {
  Response response;
  response.vouched = request.path == "/known";
  response.body = request.path == "/big" ? std::string(4 * kMegabyte, 'b') : "ok";
  responder.Send(std::move(response));
}

std::string GetOf(const std::string& path) { return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n"; }

std::string PostHead(size_t bytes) {
  return "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n";
}

using Clients = std::vector<std::unique_ptr<RawClient>>;

TEST(Crowding, IdleConnectionsGiveWayToNewOnes) {
  const auto server = StartServer(CrowdedOptions(), ServeCrowd);
  Clients idle;
  for (int i = 0; i < 100; ++i) idle.push_back(std::make_unique<RawClient>(server->port()));
  for (int i = 0; i < 50; ++i) {
    RawClient client(server->port());
    client.Send(GetOf("/"));
    EXPECT_EQ(client.Read().status, 200);
    client.Send(GetOf("/"));
    EXPECT_EQ(client.Read().status, 200);
  }
  EXPECT_EQ(server->stats().connections_refused, 0u);
  EXPECT_GE(server->stats().connections_given_way, 84u);
  EXPECT_TRUE(idle.front()->AtEnd());
  EXPECT_TRUE(Eventually([&] { return server->stats().connections <= 16; }));
}

TEST(Crowding, KnownClientsGiveWayLast) {
  const auto server = StartServer(CrowdedOptions(), ServeCrowd);
  Clients known;
  for (int i = 0; i < 8; ++i) {
    known.push_back(std::make_unique<RawClient>(server->port()));
    known.back()->Send(GetOf("/known"));
    EXPECT_EQ(known.back()->Read().status, 200);
  }
  Clients strangers;
  for (int i = 0; i < 100; ++i) {
    strangers.push_back(std::make_unique<RawClient>(server->port()));
    strangers.back()->Send(GetOf("/"));
    EXPECT_EQ(strangers.back()->Read().status, 200);
  }
  for (const auto& client : known) {
    client->Send(GetOf("/known"));
    EXPECT_EQ(client->Read().status, 200);
  }
  EXPECT_EQ(server->stats().connections_refused, 0u);
}

// The loop of a new connection may have no connection at rest.
TEST(Crowding, AnotherLoopGivesWay) {
  ServerOptions options = CrowdedOptions();
  options.connections_max = 2;
  const auto server = StartServer(options, ServeCrowd);
  RawClient at_rest(server->port());  // on the first loop
  at_rest.Send(GetOf("/"));
  EXPECT_EQ(at_rest.Read().status, 200);
  RawClient slow(server->port());  // on the second loop
  slow.Send(PostHead(10) + "12345");
  EXPECT_TRUE(Eventually([&] { return server->stats().bytes_in_flight > 0; }));
  RawClient third(server->port());  // on the first loop, whose connection gives way
  third.Send(GetOf("/"));
  EXPECT_EQ(third.Read().status, 200);
  EXPECT_TRUE(at_rest.AtEnd());
  RawClient fourth(server->port());  // on the second loop, which has none at rest
  fourth.Send(GetOf("/"));
  EXPECT_EQ(fourth.Read().status, 200);
  EXPECT_TRUE(third.AtEnd());
  slow.Send("67890");
  EXPECT_EQ(slow.Read().status, 200);
  EXPECT_EQ(server->stats().connections_refused, 0u);
}

// If all other connections are busy, a new one waits until one of them is at rest.
TEST(Crowding, NewConnectionsWaitForAPlace) {
  ServerOptions options = CrowdedOptions();
  options.connections_max = 2;
  options.newcomer_patience = milliseconds(60'000);
  Held held;
  const auto server = StartServer(options, held.handler());
  RawClient first(server->port()), second(server->port());
  for (RawClient* client : {&first, &second}) client->Send(GetOf("/"));
  Responder of_first = held.Take(), of_second = held.Take();
  const auto one_waits = [&] { return server->stats().connections_waiting == 1; };
  RawClient third(server->port());
  third.Send(GetOf("/"));
  ASSERT_TRUE(Eventually(one_waits));
  of_first.Send({});
  Responder of_third = held.Take();
  RawClient fourth(server->port());
  fourth.Send(GetOf("/"));
  ASSERT_TRUE(Eventually(one_waits));
  of_second.Send({});
  held.Take().Send({});
  of_third.Send({});
  for (RawClient* client : {&first, &second, &third, &fourth}) EXPECT_EQ(client->Read().status, 200);
  EXPECT_EQ(server->stats().connections_refused, 0u);
  EXPECT_EQ(server->stats().connections_waiting, 0u);
}

// Connections that start requests and do not finish them are not idle, but slow.
TEST(Crowding, SlowRequestsGiveWayToNewConnections) {
  const auto server = StartServer(CrowdedOptions(), ServeCrowd);
  Clients slow;
  for (int i = 0; i < 16; ++i) {
    slow.push_back(std::make_unique<RawClient>(server->port()));
    slow.back()->Send(i % 2 == 0 ? "GET / HTT" : PostHead(100) + "half");
  }
  int answered = 0;
  EXPECT_TRUE(Eventually([&] {
    RawClient client(server->port());
    client.Send(GetOf("/"));
    if (client.Read().status == 200) ++answered;
    return answered == 20;
  }));
  EXPECT_GE(server->stats().requests_given_way, 1u);
}

TEST(Crowding, LargeBodiesThatStallDoNotHoldUpSmallRequests) {
  const auto server = StartServer(CrowdedOptions(), ServeCrowd);
  const std::string most(2 * kMegabyte - 1, 'x');
  Clients slow;
  for (int i = 0; i < 12; ++i) {
    slow.push_back(std::make_unique<RawClient>(server->port()));
    slow.back()->Send(PostHead(2 * kMegabyte) + most);
    RawClient client(server->port());
    client.Send(PostHead(1000) + std::string(1000, 'x'));
    EXPECT_EQ(client.Read().status, 200) << i;
  }
  EXPECT_GE(server->stats().requests_given_way, 1u);
  EXPECT_LE(server->stats().bytes_in_flight, 8 * kMegabyte);
  // A large request gets its turn as soon as those have proved slow, or at once if some have given way.
  EXPECT_TRUE(Eventually([&] {
    RawClient large(server->port());
    large.Send(PostHead(2 * kMegabyte) + most + "x");
    return large.Read().status == 200;
  }));
  int refused = 0;
  for (const auto& client : slow) {
    client->Send("x");
    const RawAnswer answer = client->Read();
    if (answer.status != 503) continue;
    ++refused;
    EXPECT_EQ(answer.Find("Retry-After"), "1");
    EXPECT_EQ(answer.Find("Connection"), "close");
  }
  EXPECT_GE(refused, 1);
}

TEST(Crowding, UnreadResponsesDoNotHoldUpOthers) {
  ServerOptions options = CrowdedOptions();
  options.bytes_in_flight_max = 32 * kMegabyte;
  const auto server = StartServer(options, ServeCrowd);
  Clients unread;
  const int small = 4096;
  for (int i = 0; i < 14; ++i) {
    unread.push_back(std::make_unique<RawClient>(server->port()));
    setsockopt(unread.back()->socket(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    for (int requests = 0; requests < 4; ++requests) unread.back()->Send(GetOf("/big"));
    RawClient client(server->port());
    client.Send(GetOf("/"));
    EXPECT_EQ(client.Read().status, 200) << i;
  }
  EXPECT_TRUE(Eventually([&] { return server->stats().requests_given_way >= 1; }));
  EXPECT_LE(server->stats().bytes_in_flight, 32 * kMegabyte);
  EXPECT_TRUE(Eventually([&] {
    RawClient reader(server->port());
    reader.Send(GetOf("/big"));
    return reader.Read().body.size() == 4 * kMegabyte;
  }));
}

}  // namespace
}  // namespace keyfold::http
