import { expect, test } from 'vitest'

import { nextTask } from './nextTask.ts'

test('resolves after the microtasks that are pending, and those that they add', async () => {
  const order: string[] = []
  const addMicrotask = (left: number) =>
    queueMicrotask(() => (left > 0 ? addMicrotask(left - 1) : order.push('microtasks')))
  addMicrotask(100)
  await nextTask()
  order.push('task')
  expect(order).toEqual(['microtasks', 'task'])
})

test('closes its port, which would keep a Node process running', async () => {
  const countPorts = () =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length
  const before = countPorts()
  await nextTask()
  await expect.poll(countPorts).toBe(before)
})
