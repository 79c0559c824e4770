import type { Metadata, Session, VerifyContext } from '../../Session.ts'
import { isText } from '../../validation/shapes.ts'
import type { Context } from '../Context.ts'
import { methods } from './methods.ts'
import type { IncomingRequest } from './incoming.ts'
import {
  type Answer,
  markSent,
  type Request,
  sealRequest,
  sendResponse,
  sendRequest,
} from './send.ts'

/**
 * Whether messages to this peer can be sent as links: the peer has used link mode, and both sides support it.
 *
 * @see docs/contracts/relay.md#link-mode
 */
export function canUseLinks(context: Context, peer: Metadata): boolean {
  const isKnown = context.stores.linkModePeers.get().includes(peer.redirect?.universal ?? '')
  return isKnown && supportsLinks(context, peer)
}

/** Whether this client can open links, and both sides declare link mode. */
export function supportsLinks({ metadata, openLink }: Context, peer: Metadata): boolean {
  return openLink !== undefined && declaresLinkMode(metadata) && declaresLinkMode(peer)
}

/**
 * Whether a peer declares link mode. Only a web address is a universal link: opened in a page, another link could run a
 * script.
 *
 * @see docs/threats.md#dangerous-links
 */
export function declaresLinkMode({ redirect }: Metadata): boolean {
  return redirect?.linkMode === true && originOf(redirect.universal) !== undefined
}

/** Maximum number of peers that are recorded. */
const linkPeers = 100

/** Records that a peer supports link mode. */
export async function rememberLinkPeer({ stores }: Context, peer: Metadata): Promise<void> {
  const universal = peer.redirect?.universal
  const known = stores.linkModePeers.get()
  if (universal && !known.includes(universal))
    await stores.linkModePeers.set([...known, universal].slice(-linkPeers))
}

/** `https://wallet.example/link?wc_ev=…&topic=…` */
export function formatLink(universal: string, topic: string, envelope: string): string {
  return `${universal}?wc_ev=${encodeURIComponent(envelope)}&topic=${topic}`
}

/** Sends a request as a link if possible, otherwise over the relay. */
export async function sendLinkRequest(
  context: Context,
  session: Session,
  request: Request,
  overRelay: NonNullable<Parameters<typeof sendRequest>[2]>,
): Promise<void> {
  const universal = session.peer.metadata.redirect?.universal
  if (!universal || !canUseLinks(context, session.peer.metadata))
    return sendRequest(context, request, overRelay)
  const { message } = await sealRequest(context, request, 'base64url')
  try {
    await context.openLink?.(formatLink(universal, request.topic, message))
  } catch (error) {
    await context.stores.records.delete(request.id)
    throw error
  }
  markSent(context, request.id)
}

/** Sends a response as a link if possible, otherwise over the relay. */
export async function sendLinkResponse(
  context: Context,
  session: Session,
  { id, answer }: { id: number; answer: Answer },
): Promise<void> {
  const { topic, peer } = session
  const universal = peer.metadata.redirect?.universal
  if (!universal || !canUseLinks(context, peer.metadata)) {
    const publishing = methods.wc_sessionRequest.response
    return sendResponse(context, { topic, id, answer, publishing })
  }
  const text = JSON.stringify({ id, jsonrpc: '2.0', ...answer })
  const envelope = context.keys.encode(topic, text, 'base64url')
  await context.openLink?.(formatLink(universal, topic, envelope))
}

/**
 * The verify context for a message received as a link. It is `INVALID` unless the universal link and the URL that the
 * peer claims have the same origin. It is `VALID` only in a session whose key was sent to that universal link, because
 * the OS opens it only in the app that owns it; anyone can send a first message with any metadata.
 */
export function checkLink(
  peer: Metadata,
  { createdByLink = false }: { createdByLink?: boolean | undefined } = {},
): VerifyContext {
  const isSameOrigin =
    declaresLinkMode(peer) && originOf(peer.url) === originOf(peer.redirect?.universal)
  const validation = createdByLink ? 'VALID' : 'UNKNOWN'
  return {
    verified: {
      verifyUrl: '',
      validation: isSameOrigin ? validation : 'INVALID',
      origin: peer.url,
    },
  }
}

/** @returns undefined unless the URL is a web address; every app can register other schemes */
function originOf(url = '') {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined
}

/** Extracts the topic and the message's envelope from a link. @returns undefined if either is missing or malformed */
export function parseLink(url: unknown): { topic: string; message: string } | undefined {
  if (!isText(url) || !URL.canParse(url)) return undefined
  const { searchParams } = new URL(url)
  const topic = searchParams.get('topic') ?? ''
  const message = searchParams.get('wc_ev') ?? ''
  return /^[0-9a-f]{64}$/.test(topic) && message !== '' ? { topic, message } : undefined
}

/** Handles an opened link. @returns whether the link contains a message */
export async function handleLink(
  context: Context,
  url: unknown,
  receive: (
    context: Context,
    message: { topic: string; message: string },
    transport: IncomingRequest['transport'],
  ) => Promise<void>,
): Promise<boolean> {
  const link = parseLink(url)
  if (!link) return false
  const { keys, stores } = context
  const session = stores.sessions.get(link.topic)
  if (session && session.transportType !== 'link_mode') {
    const isPeer = await keys.decode(link.topic, link.message).then(Boolean, () => false)
    // Anyone can create a link with this topic.
    if (isPeer) await stores.sessions.set({ ...session, transportType: 'link_mode' })
  }
  await receive(context, link, 'link_mode')
  return true
}
