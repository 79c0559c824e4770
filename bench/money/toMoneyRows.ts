import type { Report } from '../main.ts'
import { benchRoutes } from './benchRoutes.ts'
import { benchRpc } from './benchRpc.ts'
import type { Load } from './runLoad.ts'

type Row = Report['rows'][number]

/** Share of the rate of a plain proxy that the JSON-RPC proxy must reach. */
const minShare = 0.7

/** Measures the JSON-RPC proxy and the routes of accounts. @returns rows of the report. */
export async function toMoneyRows(options: { seconds: number; rounds: number }): Promise<Row[]> {
  const rpc = await benchRpc(options)
  const routes = await benchRoutes(options)
  return [
    ...rpc.flatMap(({ calls, node, plain, gateway, ratio, cpuRatio }): Row[] => {
      const what = calls === 1 ? 'JSON-RPC, one call' : `JSON-RPC, batch of ${calls}`
      return [
        {
          what: `${what}, compared with a plain proxy (${Math.round(ratio * 100)} %)`,
          unit: 'requests/s',
          bare: Math.round(plain.rate),
          gatefold: Math.round(gateway.rate),
          limit: `${minShare * 100} %`,
          holds: ratio >= minShare,
        },
        {
          what: `${what}, compared with the node without a proxy`,
          unit: 'requests/s',
          bare: Math.round(node.rate),
          gatefold: Math.round(gateway.rate),
        },
        ...(cpuRatio === undefined
          ? []
          : [
              {
                what: `${what}, CPU time of a request (${cpuRatio.toFixed(2)} times that of a plain proxy)`,
                unit: 'µs',
                bare: Math.round(plain.cpuMicros ?? 0),
                gatefold: Math.round(gateway.cpuMicros ?? 0),
              },
            ]),
        ...toTimes(what, plain, gateway),
      ]
    }),
    ...routes.flatMap(({ name, bare, gateway, node }): Row[] => [
      {
        what: `${name}, compared with a bare route`,
        unit: 'requests/s',
        bare: Math.round(bare.rate),
        gatefold: Math.round(gateway.rate),
      },
      ...toTimes(name, bare, gateway),
      ...(node
        ? [
            {
              what: `${name}, compared with the node’s own call`,
              unit: 'requests/s',
              bare: Math.round(node.rate),
              gatefold: Math.round(gateway.rate),
            },
          ]
        : []),
    ]),
  ]
}

function toTimes(what: string, bare: Load, gateway: Load): Row[] {
  return (['p50', 'p99'] as const).map((percentile) => ({
    what: `${what}, ${percentile}`,
    unit: 'ms',
    bare: bare[percentile],
    gatefold: gateway[percentile],
  }))
}
