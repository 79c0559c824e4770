import { expect, test } from 'vitest'

import { useKits } from '../../core/testing/useKits.ts'
import { updateEmail } from './updateEmail.ts'

const { start } = useKits()

test('§8.3/7 error: a site without the embedded wallet', async () => {
  const { kit, view } = start()
  await expect(updateEmail(kit)).rejects.toMatchObject({
    name: 'OptionsError',
    shortMessage: 'No auth connector found',
  })
  expect([kit.getState().view.open, view()]).toEqual([false, 'Connect'])
})
