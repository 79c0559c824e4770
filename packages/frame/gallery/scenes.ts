import {
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  stringToHex,
  type Hex,
} from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describeMessage } from '../src/approval/describeMessage.ts'
import { describeOperation } from '../src/approval/describeOperation.ts'
import { describeTransaction } from '../src/approval/describeTransaction.ts'
import { describeTypedData } from '../src/approval/describeTypedData.ts'
import type { Statement } from '../src/approval/Statement.ts'
import { en } from '../src/strings/en.ts'
import { translate } from '../src/strings/translate.ts'
import { language } from './language.ts'
import { describeMessage as describeSolanaMessage } from '../src/solana/describeMessage.ts'
import { short } from '../src/approval/text.ts'
import { sol } from '../src/solana/readInstruction.ts'
import {
  describeAll,
  describeTransaction as describeSolana,
} from '../src/solana/describeTransaction.ts'

const t = translate(en, language)

/** The page that asks in every scene. */
export const origin = 'https://book.example'
/** The origin of the frame. */
export const site = 'https://vault.book.example'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const chain = { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 }
const token = () => Promise.resolve({ symbol: 'FLD', decimals: 6 })

function transaction(
  data: Hex,
  more: Partial<Parameters<typeof describeTransaction>[0]> = {},
): Promise<Statement> {
  return describeTransaction({
    language,
    call: { to: contract, value: 0n, data },
    chain,
    from,
    fee: parseEther('0.0021'),
    missing: 0n,
    token,
    failure: undefined,
    wasTried: true,
    changes: undefined,
    ...more,
  })
}

/** The first operation of a smart account. */
function operation(
  more: Partial<Parameters<typeof describeOperation>[0]> = {},
): Promise<Statement> {
  return describeOperation({
    language,
    calls: [{ to: other, value: parseEther('0.2'), data: '0x' }],
    chain,
    from,
    fee: parseEther('0.00041'),
    isSponsored: true,
    isFirst: true,
    missing: 0n,
    token,
    changes: undefined,
    ...more,
  })
}

function allowance(amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [other, amount] })
}

function signIn(domain: string): Statement {
  const message = createSiweMessage({
    address: from,
    chainId: 1,
    domain,
    nonce: 'k29sDk30fkgMw8Zq',
    statement: 'I join the reading circle of the Book of Ethereum and accept its rules, version 4.',
    uri: `https://${domain}/in`,
    version: '1',
    issuedAt: new Date('2026-01-01T00:00:00Z'),
  })
  return describeMessage({ message: stringToHex(message), origin, language })
}

const solana = { id: 'solana:local', name: 'Solana DRYVatmB', symbol: 'SOL', decimals: 9 }
const account = '9aE476sH92Vz7DMPyq5WLPkrKWivxeuTKEFKd2sZZcde'
const person = 'F4ghBzHFNgJxV4wEQDchU5i7n4XWWMBSaq7CuswGiVsr'
const mint = 'FsWXXkYwJCQeo6eJuHnY5ZwUEtj274S8s2TC2cr3tyuV'

type SolanaOptions = Parameters<typeof describeSolana>[0]

function ofSolana(
  readings: SolanaOptions['readings'],
  changes: Partial<NonNullable<SolanaOptions['simulation']['changes']>> = {},
  more: Partial<SolanaOptions> = {},
): Statement {
  return describeSolana({
    language,
    readings,
    chain: solana,
    owner: account,
    signers: [account],
    fee: 5_000n,
    simulation: {
      changes: {
        lamports: 0n,
        tokens: [],
        isReassigned: false,
        handedOver: [],
        delegates: [],
        ...changes,
      },
      failure: undefined,
      wasTried: true,
    },
    bytes: new Uint8Array(300),
    ...more,
  })
}

const solSent: SolanaOptions['readings'][number] = {
  sentence: t('approval.send', { amount: sol(1_500_000_000n, language), to: short(person) }),
  details: [[t('approval.to'), person]],
}
const tokenSent: SolanaOptions['readings'][number] = {
  sentence: t('approval.send', {
    amount: t('solana.tokenAmount', { amount: '40', mint: short(mint) }),
    to: short(person),
  }),
  details: [
    [t('approval.to'), person],
    [t('solana.mint'), mint],
    [t('solana.memo'), 'Rent for March'],
  ],
}

/** One scene for each kind of approval. */
export const scenes: Readonly<Record<string, () => Statement | undefined | Promise<Statement>>> = {
  loading: () => undefined,
  message: () =>
    describeMessage({
      message: stringToHex(
        'I join the reading circle of the Book of Ethereum and accept its rules, version 4.',
      ),
      origin,
      language,
    }),
  longMessage: () =>
    describeMessage({
      message: stringToHex(
        Array.from({ length: 60 }, (_, line) => `${line + 1}. A line of the rules.`).join('\n'),
      ),
      origin,
      language,
    }),
  bytes: () => describeMessage({ message: `0x${'ff00'.repeat(48)}`, origin, language }),
  signIn: () => signIn('book.example'),
  otherSignIn: () => signIn('atlas.example'),
  send: () => transaction('0x', { call: { to: other, value: parseEther('2.481'), data: '0x' } }),
  sendToken: () =>
    transaction(
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, 40_000_000n] }),
    ),
  swap: () =>
    transaction(`0x3593564c${'00'.repeat(448)}`, {
      call: { to: contract, value: parseEther('0.2'), data: `0x3593564c${'00'.repeat(448)}` },
      changes: [
        { amount: -parseEther('0.2') },
        { contract: other, amount: 716_420_000n },
        { contract, id: 13n, amount: 1n },
      ],
    }),
  allowance: () => transaction(allowance(716_420_000n)),
  unlimited: () => transaction(allowance(maxUint256)),
  collection: () =>
    transaction(
      encodeFunctionData({
        abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
        args: [other, true],
      }),
    ),
  unknown: () => transaction(`0x6d8800aa${'00'.repeat(448)}`),
  stillUnknown: async () => (await transaction(`0x6d8800aa${'00'.repeat(448)}`)).second!,
  short: () =>
    transaction('0x', {
      call: { to: other, value: parseEther('2.481'), data: '0x' },
      missing: parseEther('0.0008'),
    }),
  failing: () =>
    transaction('0x', {
      call: { to: other, value: parseEther('0.2'), data: '0x' },
      failure: 'the price moved too far',
    }),
  notTried: () =>
    transaction('0x', {
      call: { to: other, value: parseEther('0.2'), data: '0x' },
      wasTried: false,
    }),
  sponsored: () => operation(),
  selfPaid: () => operation({ isSponsored: false, isFirst: false }),
  batch: () =>
    operation({
      isFirst: false,
      calls: [
        { to: contract, value: 0n, data: allowance(40_000_000n) },
        { to: contract, value: 0n, data: `0x6d8800aa${'00'.repeat(64)}` },
        { to: other, value: parseEther('0.2'), data: '0x' },
      ],
    }),
  batchDanger: () =>
    operation({
      isFirst: false,
      isSponsored: false,
      calls: [
        { to: other, value: parseEther('0.2'), data: '0x' },
        { to: contract, value: 0n, data: allowance(maxUint256) },
      ],
    }),
  permit: () =>
    describeTypedData({
      data: {
        domain: { name: 'Fold Dollar', chainId: 31337, verifyingContract: contract },
        types: {
          Permit: [
            { name: 'owner', type: 'address' },
            { name: 'spender', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'nonce', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'Permit',
        message: {
          owner: from,
          spender: other,
          value: 716_420_000n,
          nonce: 14n,
          deadline: 1_785_429_440n,
        },
      },
      chain,
      token,
      isSmart: false,
      language,
    }),
  solana: () => ofSolana([solSent], { lamports: -1_500_000_000n }),
  solanaToken: () =>
    ofSolana([tokenSent], {
      lamports: -2_039_280n,
      tokens: [{ mint, atomic: -40_000_000n, decimals: 6 }],
    }),
  solanaSeveral: () =>
    ofSolana(
      [solSent, tokenSent, { isDurable: true, details: [[t('solana.nonceAccount'), mint]] }],
      { lamports: -1_500_000_000n, tokens: [{ mint, atomic: -40_000_000n, decimals: 6 }] },
      { signers: [person, account] },
    ),
  solanaUnknown: () =>
    ofSolana(
      [
        {
          sentence: t('solana.unknown'),
          isUnknown: true,
          details: [[t('solana.program'), mint]],
        },
      ],
      {
        tokens: [{ mint, atomic: 12_500_000n, decimals: 6 }],
        lamports: -500_000_000n,
      },
    ),
  solanaFee: () => ofSolana([solSent], { lamports: -1_500_000_000n }, { fee: 1_000_005_000n }),
  solanaReassigned: () => ofSolana([solSent], { isReassigned: true }),
  solanaAll: () =>
    describeAll(
      [
        ofSolana([solSent], { lamports: -1_500_000_000n }),
        ofSolana([tokenSent], { tokens: [{ mint, atomic: -40_000_000n, decimals: 6 }] }),
      ],
      language,
    ),
  solanaHidden: () =>
    describeSolanaMessage({ bytes: new Uint8Array([0x80, 1, 0, 1]), origin, language }),
}
