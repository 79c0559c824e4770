import { openClient, type Client, type ClientOptions, type Version } from './clients.ts'

type Listener = (event: { url: string }) => void

/** The `Linking` API of React Native, as official clients use it. */
type Linking = {
  openURL(url: string): Promise<void>
  addEventListener(type: 'url', listener: Listener): void
  getInitialURL(): Promise<string | null>
}

/**
 * Creates a device for apps, which opens a universal link in the installed app that owns the link.
 * Sets `IS_VITEST` and the global `Linking`, so that official clients use the device like React
 * Native's `Linking`.
 */
export function createDevice() {
  const owners = new Map<string, Listener>()
  const opened: string[] = []
  let listener: Listener | undefined

  const device = {
    /** Links that were opened. */
    opened,
    open(url: string) {
      opened.push(url)
      owners.get(url.split('?')[0]!)?.({ url })
    },
    /** Installs an app that declares link mode. */
    async install(version: Version, options: ClientOptions & { universal: string }) {
      listener = undefined
      const openLink = (url: string) => device.open(url)
      const client: Client = await openClient(version, { ...options, ours: { openLink } })
      const { ours } = client
      const listen = ours ? ({ url }: { url: string }) => void ours.handleLink(url) : listener
      if (!listen) throw new Error(`${version} does not listen for links.`)
      owners.set(options.universal, listen)
      return client
    },
    remove() {
      delete process.env['IS_VITEST']
      Reflect.deleteProperty(globalThis, 'Linking')
    },
  }
  const linking: Linking = {
    openURL: async (url) => device.open(url),
    addEventListener: (_type, urlListener) => void (listener = urlListener),
    getInitialURL: async () => null,
  }
  process.env['IS_VITEST'] = 'true'
  Object.assign(globalThis, { Linking: linking })
  return device
}
