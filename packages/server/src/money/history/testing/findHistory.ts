import {
  createPublicClient,
  http,
  padHex,
  toEventSelector,
  type Address,
  type Hash,
  type Hex,
} from 'viem'

const events = [
  'Transfer(address,address,uint256)',
  'TransferSingle(address,address,address,uint256,uint256)',
  'TransferBatch(address,address,address,uint256[],uint256[])',
  'Approval(address,address,uint256)',
  'ApprovalForAll(address,address,bool)',
].map((event) => toEventSelector(event))

/**
 * The transactions of an account according to the chain itself, newest first:
 * those that it sent, those that paid it, and those with a token event that
 * contains it.
 *
 * @returns their hashes.
 */
export async function findHistory(url: string, account: Address): Promise<Hash[]> {
  const ofAccount = await readHistories(url)
  return ofAccount(account)
}

/**
 * Reads a chain once for several accounts.
 *
 * @returns a function that returns what {@link findHistory} does.
 */
export async function readHistories(url: string): Promise<(account: Address) => Hash[]> {
  const client = createPublicClient({ transport: http(url, { batch: true }) })
  const head = Number(await client.getBlockNumber())
  const blocks = await Promise.all(
    Array.from({ length: head + 1 }, async (_, number) => {
      const [block, logs] = await Promise.all([
        client.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
        client.request({
          method: 'eth_getLogs',
          params: [{ fromBlock: toHex(number), toBlock: toHex(number), topics: [events] }],
        }) as unknown as Promise<{ topics: Hex[]; transactionHash: Hash }[]>,
      ])
      return { transactions: block.transactions, logs }
    }),
  )
  return (account) => {
    const word = padHex(account, { size: 32 }).toLowerCase() as Hex
    return blocks.toReversed().flatMap(({ transactions, logs }) => {
      const named = new Set(
        logs.filter(({ topics }) => topics.includes(word)).map((log) => log.transactionHash),
      )
      return transactions
        .toReversed()
        .filter(
          ({ from, hash, to, value }) =>
            isSame(from, account) || (isSame(to, account) && value > 0n) || named.has(hash),
        )
        .map(({ hash }) => hash)
    })
  }
}

function toHex(number: number): Hex {
  return `0x${number.toString(16)}`
}

function isSame(a: Address | null, b: Address) {
  return a?.toLowerCase() === b.toLowerCase()
}
