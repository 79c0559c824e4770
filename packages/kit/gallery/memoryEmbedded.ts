import { createClient } from '../src/connectors/embeddedWallet/createClient.ts'
import type { Frame, FrameCard } from '../src/connectors/embeddedWallet/createFrame.ts'
import { createEmbedded } from '../src/connectors/embeddedWallet/embedded.ts'
import { FrameError } from '../src/connectors/embeddedWallet/FrameError.ts'
import { clearLogin } from '../src/connectors/embeddedWallet/loginRecords.ts'
import type { ConnectorFactory } from '../src/core/connection/Connector.ts'

const never = () => new Promise<never>(() => {})

/** The connector of the embedded wallet with a mock frame. The returned object selects the replies. */
export function memoryEmbedded() {
  const control = {
    /** The replies by message name; a function may wait or throw. */
    replies: {
      CONNECT_EMAIL: { action: 'VERIFY_OTP' },
      CONNECT_DEVICE: never,
      CONNECT_FARCASTER: never,
      CONNECT_PASSKEY: never,
      GET_USER: {
        email: 'mira@north.example',
        address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        chainId: 1,
      },
      GET_FARCASTER_URI: { url: 'https://farcaster.example/~/siwf?channelToken=7PRXH4WQ' },
      GET_SOCIAL_REDIRECT_URI: never,
      GET_SMART_ACCOUNT_ENABLED_NETWORKS: { smartAccountEnabledNetworks: [] },
      IS_CONNECTED: { isConnected: false },
      RPC_REQUEST: never,
      UPDATE_EMAIL: { action: 'VERIFY_PRIMARY_OTP' },
    } as Record<string, unknown>,
    never,
    /** The card of a request; undefined if the frame shows none. */
    card: { height: 280, kind: 'approval' } as FrameCard | undefined,
    /** A reply that is an error with a code. */
    failsWith: (code: string) => () => {
      throw new FrameError('The mock frame refused the request.', { code })
    },
    factory: undefined as unknown as ConnectorFactory,
  }
  control.factory = (context) => {
    // Removes the stored login of another scene.
    clearLogin()
    return createEmbedded(
      context,
      async () => (await import('../src/exports/chunks/embeddedViews.ts')).embeddedViews,
      async () => ({
        createClient: (inner) => createClient(inner, ({ onCard }) => createFrame(control, onCard)),
      }),
    )
  }
  return control
}

/** A mock frame that shows approvals in a panel of the page. */
function createFrame(
  control: { replies: Record<string, unknown>; card: FrameCard | undefined },
  onCard: (card: FrameCard | undefined) => void,
): Frame {
  const panel = document.createElement('div')
  panel.textContent = 'The secure frame'
  panel.style.cssText = 'position:fixed;display:none;place-content:center;background:#8886'
  document.body.append(panel)
  return {
    async request(name, _payload, { signal } = {}) {
      if (name === 'RPC_REQUEST' || name === 'CONNECT_PASSKEY') onCard(control.card)
      const reply = control.replies[name]
      const isAborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return (await Promise.race([
        typeof reply === 'function' ? reply() : reply,
        isAborted,
      ])) as never
    },
    abortRequests: () => onCard(undefined),
    place(box) {
      panel.style.display = box ? 'grid' : 'none'
      if (!box) return
      panel.style.zIndex = '999'
      for (const side of ['left', 'top', 'width', 'height'] as const)
        panel.style[side] = `${box[side]}px`
    },
    focus() {},
    destroy: () => panel.remove(),
  }
}
