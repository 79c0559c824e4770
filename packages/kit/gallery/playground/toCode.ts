import { themeVariablesOf } from './settings.ts'
import type { Settings } from './settings.ts'

/** The views that a site can open without data. */
const openable = ['AllWallets', 'GetWallet', 'Networks', 'ProfileWallets', 'WhatIsAWallet']

/** The TypeScript code of a site that has these settings. Options with their default values are omitted. */
export function toCode(settings: Settings): string {
  const { theme, locale } = settings
  const variables = Object.entries(themeVariablesOf(settings))
  const [view = ''] = settings.scene.split('.')
  return `${[
    "import { createGatefold } from '@gatefold/kit'",
    "import { evm } from '@gatefold/kit/evm'",
    "import { mainnet } from 'viem/chains'",
    '',
    'export const kit = createGatefold({',
    '  metadata: {',
    "    name: 'My site',",
    "    description: '',",
    '    url: location.origin,',
    '    icons: [],',
    '  },',
    '  networks: [mainnet],',
    '  adapters: [evm()],',
    ...(settings.wide ? ["  modalSize: 'wide',"] : []),
    ...(theme === 'system' ? [] : [`  themeMode: '${theme}',`]),
    ...(variables.length === 0
      ? []
      : [
          '  themeVariables: {',
          ...variables.map(([name, value]) => `    '${name}': ${quote(value)},`),
          '  },',
        ]),
    ...(locale === 'en'
      ? []
      : [
          `  locale: '${locale}',`,
          '  locales: {',
          `    ${locale}: () => import('@gatefold/kit/locales/${locale}'),`,
          '  },',
        ]),
    '})',
    ...(openable.includes(view) ? ['', `void kit.open({ view: '${view}' })`] : []),
  ].join('\n')}\n`
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}
