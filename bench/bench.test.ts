import { expect, test } from 'vitest'

import { formatReport } from './main.ts'

test('the report names what missed its limit', () => {
  const text = formatReport({
    rows: [
      { what: 'second open', unit: 'ms', bare: 4, gatefold: 31, limit: '20', holds: false },
      { what: 'click to connected', unit: 'ms', bare: 20, gatefold: 22 },
    ],
  })
  expect(text).toMatchInlineSnapshot(`
    "                    bare page  gatefold  unit  limit
    second open         4          31        ms    20     MISSED
    click to connected  20         22        ms"
  `)
})
