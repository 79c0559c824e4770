import { server, type Guard } from './Guard.ts'

/** Guards of subscriptions, of the delivery of messages and of the costs of requests to the relay. */
export const relayDeliveryGuards: readonly Guard[] = [
  {
    point: 7,
    guard: 'Unacknowledged pushes count towards the memory budget of an address.',
    file: `${server}/relay/hub/createHub.ts`,
    find: 'options.memory.hasRoom(address, deliveryBytes)',
    replace: 'address !== undefined',
    test: `${server}/relay/hub/pushes.test.ts`,
    title: 'attack: more than 16 of a client count towards the memory budget of its address',
  },
  {
    point: 8,
    guard: 'An address has a limited number of new subscriptions.',
    file: `${server}/relay/methods/subscribeTopics.ts`,
    find: '!relay.addressLimits.admitTopics(address, added.size)',
    replace: 'address === undefined',
    test: `${server}/relay/methods/methods.test.ts`,
    title:
      'attack: an address has a limited number of new ones, which repeated requests do not use up',
  },
  {
    point: 8,
    guard: 'Clients cannot add new subscriptions without limit.',
    file: `${server}/relay/budgets/createAddressLimits.ts`,
    find: 'count === 0 || newTopics.take(address, count) === 0',
    replace: 'count === 0 || newTopics.take(address, count) >= 0',
    test: `${server}/relay/budgets/createAddressLimits.test.ts`,
    title:
      'attack: the number of new subscriptions per address is limited, and replenished within an hour',
  },
  {
    point: 19,
    guard: 'A topic has a limited number of subscribers.',
    file: `${server}/relay/methods/subscribeTopics.ts`,
    find: '[...added].some(hub.isFull)',
    replace: 'false',
    test: `${server}/relay/methods/methods.test.ts`,
    title: 'attack: a topic has at most 20 connected subscribers',
  },
  {
    point: 19,
    guard: 'A message is pushed to a limited number of clients.',
    file: `${server}/relay/hub/createTopicIndex.ts`,
    find: 'if (isFull(topic)) continue',
    replace: '',
    test: `${server}/relay/hub/pushes.test.ts`,
    title: 'attack: a topic has at most 20 connected subscribers',
  },
  {
    point: 19,
    guard: 'Parallel requests of a client share one read of its subscriptions.',
    file: `${server}/relay/methods/subscribeTopics.ts`,
    find: 'pending.stored ??= ',
    replace: 'pending.stored = ',
    test: `${server}/relay/methods/methods.test.ts`,
    title:
      'attack: parallel requests of a client without a socket share one read, and count together',
  },
  {
    point: 19,
    guard: 'A topic whose messages were pushed is not read again.',
    file: `${server}/relay/hub/createHub.ts`,
    find: "client.exhausted.has(topic) || client.topics.get(topic)?.state !== 'live'",
    replace: 'client.topics.has(topic)',
    test: `${server}/relay/hub/pushes.test.ts`,
    title:
      'attack: are not searched, and their topic is not read, when the client subscribes again',
  },
  {
    point: 19,
    guard: 'The mailboxes of a client are read in turns of its address.',
    file: `${server}/relay/hub/readMailboxes.ts`,
    find: `    await nextTurn(client.address)
`,
    replace: '',
    test: `${server}/relay/hub/pushes.test.ts`,
    title:
      'attack: the pages of a mailbox are read and pushed in turns of the address of the client',
  },
  {
    point: 19,
    guard: 'Messages that were read are pushed in turns of the address of their client.',
    file: `${server}/relay/hub/readMailboxes.ts`,
    find: 'if (page.messages.length > 0) await nextTurn(client.address)',
    replace: '',
    test: `${server}/relay/hub/pushes.test.ts`,
    title:
      'attack: the pages of a mailbox are read and pushed in turns of the address of the client',
  },
  {
    point: 19,
    guard: 'Fetched pages are read in turns of the address.',
    file: `${server}/relay/requests/dispatch.ts`,
    find: `await nextTurn()
    const page`,
    replace: 'const page',
    test: `${server}/relay/requests/dispatch.test.ts`,
    title:
      'attack: wait for a turn of the address before a page is read, and before the response is written',
  },
  {
    point: 5,
    guard: 'An invalid entry of a frame costs as much as a topic.',
    file: `${server}/relay/requests/dispatch.ts`,
    find: "entry.kind === 'request' ? costOf(entry) : faultCost",
    replace: "entry.kind === 'request' ? costOf(entry) : { ...faultCost, units: 0 }",
    test: `${server}/relay/requests/dispatch.test.ts`,
    title: 'attack: counts an invalid entry like a topic',
  },
]
