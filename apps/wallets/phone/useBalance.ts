import { useEffect, useState } from 'react'
import { formatEther, isHex } from 'viem'
import { createChainRpc } from '../src/provider/chainRpc.ts'

/** Poll interval in ms; short, because development chains mine instantly. */
const pollMs = 3_000

/**
 * Polls the balance of an address. Formats it with at most six digits, or without decimals if its
 * whole part has more.
 *
 * @returns `undefined` while it loads, `null` if the chain does not respond
 */
export function useBalance(address: string, rpcUrl: string | undefined): string | null | undefined {
  const [known, setKnown] = useState<{ key: string; balance: string | null }>()
  const key = `${rpcUrl} ${address}`
  useEffect(() => {
    let stopped = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const rpc = createChainRpc(rpcUrl ?? '')
    const poll = async () => {
      const answer = rpcUrl
        ? await rpc('eth_getBalance', [address, 'latest']).catch(() => null)
        : null
      if (stopped) return
      setKnown({ key, balance: isHex(answer) ? format(BigInt(answer)) : null })
      timer = setTimeout(() => void poll(), pollMs)
    }
    void poll()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [address, rpcUrl, key])
  return known?.key === key ? known.balance : undefined
}

function format(wei: bigint): string {
  const [whole = '0', fraction = ''] = formatEther(wei).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const short = fraction.slice(0, Math.max(0, 6 - whole.length)).replace(/0+$/, '')
  if (wei > 0n && whole === '0' && !short) return '<0.00001'
  return short ? `${grouped}.${short}` : grouped
}
