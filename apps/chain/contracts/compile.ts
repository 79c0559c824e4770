import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

export type Artifact = { abi: Abi; bytecode: Hex }

type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

type Solc = {
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string
}

const require = createRequire(import.meta.url)
const folder = new URL('./src/', import.meta.url)

/**
 * Compiles the contracts in `src/`.
 *
 * @returns artifacts by contract name
 * @throws on any error or warning, with the compiler's output
 */
export function compile(): Record<string, Artifact> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sol'))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      files.sort().map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]),
    ),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      viaIR: true,
      // Omits the source hash from the bytecode, so that comments do not change it.
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const solc = require('solc') as Solc
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: readPackage }),
  ) as CompilerOutput
  if (output.errors?.length) {
    throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  }
  const artifacts: Record<string, Artifact> = {}
  for (const name of files) {
    for (const [contract, { abi, evm }] of Object.entries(output.contracts?.[name] ?? {})) {
      artifacts[contract] = { abi, bytecode: `0x${evm.bytecode.object}` }
    }
  }
  return artifacts
}

/** Reads a compiled contract from an npm package (Hardhat or Truffle format). */
export function readArtifact(path: string): Artifact {
  const artifact = require(path) as {
    abi: Abi
    bytecode?: string
    evm?: { bytecode: { object: string } }
  }
  const bytecode = artifact.bytecode ?? artifact.evm?.bytecode.object ?? ''
  return {
    abi: artifact.abi,
    bytecode: bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}`,
  }
}

function readPackage(path: string) {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (error) {
    return { error: String(error) }
  }
}
