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
 * Whether messages may go to a peer as links: both sides say so, and the peer has shown before that
 * it understands them.
 *
 * @see contract of the relay, 4.5
 */
export function canUseLinks(context: Context, peer: Metadata): boolean {
  const { metadata, openLink, stores } = context
  const theirs = peer.redirect
  return (
    openLink !== undefined &&
    acceptsLinks(metadata) &&
    acceptsLinks(peer) &&
    stores.linkApps.get().includes(theirs?.universal ?? '')
  )
}

/** Whether somebody says that links reach them. */
export function acceptsLinks({ redirect }: Metadata): boolean {
  return redirect?.linkMode === true && isText(redirect.universal)
}

/** From now on this peer is known to understand links. */
export async function rememberLinkPeer({ stores }: Context, peer: Metadata): Promise<void> {
  const universal = peer.redirect?.universal
  const known = stores.linkApps.get()
  if (universal && !known.includes(universal)) await stores.linkApps.set([...known, universal])
}

/** `https://wallet.example/link?wc_ev=…&topic=…` */
export function formatLink(universal: string, topic: string, envelope: string): string {
  return `${universal}?wc_ev=${encodeURIComponent(envelope)}&topic=${topic}`
}

/** Sends a request as a link where that works, else over the relay. */
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

/** Answers as a link where that works, else over the relay. */
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

/** The system opens a universal link for its owner alone: that is what is checked. */
export function checkLink(context: Context, peer: Metadata): VerifyContext {
  const universal = peer.redirect?.universal
  const isSame =
    canUseLinks(context, peer) &&
    universal !== undefined &&
    originOf(universal) === originOf(peer.url)
  return {
    verified: { verifyUrl: '', validation: isSame ? 'VALID' : 'INVALID', origin: peer.url },
  }
}

function originOf(url: string) {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

/** Takes the envelope out of a link. @returns undefined when there is none in it. */
export function parseLink(url: unknown): { topic: string; message: string } | undefined {
  if (!isText(url) || !URL.canParse(url)) return undefined
  const { searchParams } = new URL(url)
  const topic = searchParams.get('topic') ?? ''
  const message = searchParams.get('wc_ev') ?? ''
  return /^[0-9a-f]{64}$/.test(topic) && message !== '' ? { topic, message } : undefined
}

/** A link that was opened. @returns whether it was one of this protocol. */
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
    // Anybody can make a link with a topic in it.
    if (isPeer) await stores.sessions.set({ ...session, transportType: 'link_mode' })
  }
  await receive(context, link, 'link_mode')
  return true
}
