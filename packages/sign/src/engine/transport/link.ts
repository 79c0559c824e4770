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
 * Whether messages to this peer can be sent as links. True if this client can open links, both sides declare
 * link mode, and the peer is known to support it.
 *
 * @see docs/contracts/relay.md#link-mode
 */
export function canUseLinks(context: Context, peer: Metadata): boolean {
  const { metadata, openLink, stores } = context
  const redirect = peer.redirect
  return (
    openLink !== undefined &&
    declaresLinkMode(metadata) &&
    declaresLinkMode(peer) &&
    stores.linkModePeers.get().includes(redirect?.universal ?? '')
  )
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

/** Records that a peer supports link mode. */
export async function rememberLinkPeer({ stores }: Context, peer: Metadata): Promise<void> {
  const universal = peer.redirect?.universal
  const known = stores.linkModePeers.get()
  if (universal && !known.includes(universal)) await stores.linkModePeers.set([...known, universal])
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
 * The verify context for a message received as a link. It is `VALID` if link mode can be used, and the peer's
 * universal link and `metadata.url` have the same origin, because the OS opens a universal link only in the app that owns it.
 */
export function checkLink(context: Context, peer: Metadata): VerifyContext {
  // canUseLinks() is true only if the universal link has an origin.
  const isSameOrigin =
    canUseLinks(context, peer) && originOf(peer.url) === originOf(peer.redirect?.universal)
  return {
    verified: { verifyUrl: '', validation: isSameOrigin ? 'VALID' : 'INVALID', origin: peer.url },
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
