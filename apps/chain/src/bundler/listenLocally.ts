import { Server, type AddressInfo } from 'node:net'

// Loaded before alto, which listens on all addresses of the machine and does not report a random port.

const listen = Reflect.get(Server.prototype, 'listen') as (...rest: unknown[]) => Server

/** Listens on 127.0.0.1 and prints the port. */
function listenLocally(this: Server, options: object, ...rest: unknown[]): Server {
  this.once('listening', () => {
    const { port } = this.address() as AddressInfo
    console.log(`Listening on 127.0.0.1:${port}`)
  })
  return Reflect.apply(listen, this, [{ ...options, host: '127.0.0.1' }, ...rest])
}

Object.assign(Server.prototype, { listen: listenLocally })
