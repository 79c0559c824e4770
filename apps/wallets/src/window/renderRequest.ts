import type { PendingRequest } from '../provider/createApprovals.ts'
import type { Content, Row } from './describeRequest.ts'
import { element, icon } from './element.ts'

/** Renders a described request; updates the fee row once the chain has responded. */
export function renderRequest(content: Content, request: PendingRequest): Node[] {
  const site = element('b', {}, request.origin.replace(/^https?:\/\//, ''))
  const nodes: Node[] = [
    element(
      'div',
      { class: 'heading' },
      element('h2', { 'data-testid': 'wallet-title' }, content.title),
      element('p', {}, 'Requested by ', site),
    ),
  ]
  const rows = content.rows.map((row) => rowNode(row))
  if (content.cost) {
    const row = rowNode({ label: 'Maximum fee', value: '…' })
    rows.push(row)
    void content.cost.then((known) => {
      row.replaceWith(rowNode(known, known.isError))
    })
  }
  if (content.warning) {
    const warningIcon = icon(
      'M8.700 4.200a1.500 1.500 0 0 1 2.600 0l5.400 9.400a1.500 1.500 0 0 1-1.300 2.200H4.600a1.500 1.500 0 0 1-1.300-2.200z',
      'M10 8v3.200',
      'M10 13.400v.010',
    )
    nodes.push(element('p', { class: 'warning' }, warningIcon, content.warning))
  }
  if (content.text !== undefined) {
    nodes.push(
      element(
        'pre',
        { class: 'text', tabindex: '0', 'aria-label': 'Message', 'data-testid': 'wallet-message' },
        content.text || '(empty)',
      ),
    )
  }
  if (content.fields?.length) {
    nodes.push(
      element(
        'dl',
        {
          class: 'group fields',
          tabindex: '0',
          'aria-label': 'Details',
          'data-testid': 'wallet-fields',
        },
        ...content.fields.map((row) => rowNode(row)),
      ),
    )
  }
  if (rows.length) nodes.push(element('dl', { class: 'group' }, ...rows))
  if (content.line) nodes.push(element('p', { class: 'hint' }, content.line))
  return nodes
}

function rowNode({ label, value }: Row, isError = false): HTMLElement {
  return element(
    'div',
    { 'data-error': isError },
    element('dt', {}, label),
    element('dd', {}, element('bdi', {}, value)),
  )
}
