import { approvalGuards } from './guards/approvals.ts'
import { eventGuards } from './guards/events.ts'
import { frameGuards } from './guards/frame.ts'
import { gatewayGuards } from './guards/gateway.ts'
import { historyGuards } from './guards/history.ts'
import { kitGuards } from './guards/kit.ts'
import { loginGuards } from './guards/login.ts'
import { nameGuards } from './guards/names.ts'
import { nftGuards } from './guards/nfts.ts'
import { paymentGuards } from './guards/payments.ts'
import { recoveryGuards } from './guards/recovery.ts'
import { peerGuards } from './guards/peers.ts'
import { relayGuards } from './guards/relay.ts'
import { relayClientGuards } from './guards/relayClients.ts'
import { relayDeliveryGuards } from './guards/relayDelivery.ts'
import { sessionGuards } from './guards/sessions.ts'
import { shareGuards } from './guards/shares.ts'
import { signInGuards } from './guards/signIn.ts'
import { socialLoginGuards } from './guards/socialLogins.ts'
import { solanaGuards } from './guards/solana.ts'
import { sponsoringGuards } from './guards/sponsoring.ts'
import { swapGuards } from './guards/swaps.ts'
import { swapVendorGuards } from './guards/swapVendors.ts'
import { tokenGuards } from './guards/tokens.ts'
import type { Guard } from './guards/Guard.ts'

/**
 * The attacks that the guards stop, by their number in docs/security.md#attacks. `threats` are headings of
 * docs/threats.md.
 */
export const attacks: Record<number, { name: string; threats: string[] }> = {
  1: { name: 'A frame blocks Redis', threats: ['Cost of one command', 'Queue for the store'] },
  2: { name: 'Free keys fill the storage', threats: ['Relay flood'] },
  3: {
    name: 'Events block the server or contain personal data',
    threats: ['Analytics', 'Malformed requests'],
  },
  4: {
    name: 'Requests make an upstream look broken',
    threats: ['Abuse of the circuit breaker', 'Upstream faults'],
  },
  5: { name: 'Batches and many addresses evade the rate limits', threats: ['Open proxy'] },
  6: { name: 'A short query returns megabytes', threats: ['Amplification'] },
  7: {
    name: 'Clients read or send slowly',
    threats: ['Slow reader', 'Slow sender', 'Memory of connections'],
  },
  8: { name: 'Attestations, subscriptions and watches evade the limits', threats: ['Relay flood'] },
  9: { name: 'Anyone reads the metrics', threats: ['Public metrics'] },
  10: { name: 'A page requests a sign-in for another site', threats: ['Sign-in for another site'] },
  11: { name: 'A client forges an attestation', threats: ['Forged attestation'] },
  12: { name: 'A wallet alters a sign-in', threats: ['Altered sign-in'] },
  13: { name: 'A peer floods a client', threats: ['Hostile peer'] },
  14: { name: 'Another host changes the kit’s storage', threats: ['Altered page storage'] },
  15: { name: 'The network or a page reads local files', threats: ['Local pages', 'Local files'] },
  16: { name: 'A page on a shared host uses a project', threats: ['Foreign origins'] },
  17: { name: 'A download is replaced', threats: ['Dependencies'] },
  18: {
    name: 'An address uses many processes',
    threats: ['Relay flood', 'Open proxy'],
  },
  19: { name: 'A few addresses keep the event loop busy', threats: ['Event loop'] },
  20: {
    name: 'A token has a false price or name',
    threats: ['Manipulated prices', 'False prices of a vendor', 'Hostile tokens'],
  },
  21: {
    name: 'A URL of a stranger reaches the operator’s network',
    threats: ['Requests to other hosts'],
  },
  22: {
    name: 'A client takes, forges or repeats the registration of a name',
    threats: ['Names of others', 'Replayed registrations', 'Names for everyone'],
  },
  23: { name: 'An NFT is hostile', threats: ['Hostile NFTs', 'Images of NFTs'] },
  24: {
    name: 'A history is flooded or poisoned',
    threats: ['History flood', 'Poisoned history'],
  },
  25: { name: 'A gateway builds another swap', threats: ['Altered swaps'] },
  26: {
    name: 'A payment is forged, repeated or diverted',
    threats: ['Forged payment', 'Diverted payment'],
  },
  27: {
    name: 'A gateway answers for the names of others',
    threats: ['Impersonating names'],
  },
  28: {
    name: 'A wallet returns the wrong transaction or accounts',
    threats: ['Misbehaving wallets'],
  },
  29: { name: 'A vendor builds another swap', threats: ['False swaps of a vendor'] },
  30: {
    name: 'A stranger logs in to a wallet',
    threats: ['One-time codes', 'Changed email address', 'Local mail sink'],
  },
  31: { name: 'A token or a proof is stolen', threats: ['Stolen tokens', 'Embedding pages'] },
  32: { name: 'A share is released to a stranger', threats: ['Shares', 'Damaged shares'] },
  33: {
    name: 'A page misuses the secure frame',
    threats: ['Embedding pages', 'Frame messages', 'Damaged shares'],
  },
  34: {
    name: 'A visitor approves something different from what is shown',
    threats: ['Clickjacking', 'False statements of the page'],
  },
  35: { name: 'A social login is taken over', threats: ['Social logins'] },
  36: {
    name: 'A stranger restores or exports a wallet',
    threats: ['Recovery', 'Passkeys', 'Exported keys'],
  },
  37: {
    name: 'Somebody spends the operator’s deposit on other operations',
    threats: ['Sponsored operations', 'Signatures of smart accounts'],
  },
  38: {
    name: 'A Solana transaction differs from what is shown',
    threats: ['Solana transactions'],
  },
  39: {
    name: 'A request makes the database look unavailable',
    threats: ['Malformed requests'],
  },
  40: {
    name: 'A cache serves what one client has chosen',
    threats: ['Poisoned caches'],
  },
  41: {
    name: 'The link of a peer runs a script',
    threats: ['Dangerous links'],
  },
  42: {
    name: 'An app uses a wallet without an approval',
    threats: [
      'Responses to other apps',
      'Sessions of other apps',
      'Methods of a sign-in',
      'Requests before the approval',
    ],
  },
  43: {
    name: 'A message is repeated, or replaces another one',
    threats: ['Hostile peer'],
  },
}

/** All guards. Those of an attack are in one file. */
export const guards: readonly Guard[] = [
  ...relayGuards,
  ...relayClientGuards,
  ...relayDeliveryGuards,
  ...eventGuards,
  ...gatewayGuards,
  ...signInGuards,
  ...peerGuards,
  ...kitGuards,
  ...tokenGuards,
  ...nftGuards,
  ...nameGuards,
  ...historyGuards,
  ...swapGuards,
  ...swapVendorGuards,
  ...paymentGuards,
  ...loginGuards,
  ...sessionGuards,
  ...shareGuards,
  ...socialLoginGuards,
  ...frameGuards,
  ...sponsoringGuards,
  ...approvalGuards,
  ...recoveryGuards,
  ...solanaGuards,
]
