// Fills in test cards, groups the digits of the card number, and waits for the end of a payment.

/** @type {HTMLInputElement | null} */
const number = document.querySelector('#number')
/** @type {HTMLInputElement | null} */
const expiry = document.querySelector('#expiry')
/** @type {HTMLInputElement | null} */
const code = document.querySelector('#code')
/** @type {NodeListOf<HTMLButtonElement>} */
const cards = document.querySelectorAll('[data-card]')
/** @type {HTMLButtonElement | null} */
const submit = document.querySelector('button.primary')
/** @type {HTMLInputElement | null} */
const wrong = document.querySelector('[aria-invalid]')

number?.addEventListener('input', () => {
  // The caret is only kept at the end, so that digits in the middle can be corrected.
  if (number.selectionStart !== number.value.length) return
  const digits = number.value.replaceAll(/\D/g, '').slice(0, 19)
  number.value = digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
})

expiry?.addEventListener('input', (event) => {
  const digits = expiry.value.replaceAll(/\D/g, '').slice(0, 4)
  const isDeletion = event instanceof InputEvent && event.inputType.startsWith('delete')
  if (isDeletion || expiry.selectionStart !== expiry.value.length) return
  expiry.value = digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`
})

for (const card of cards)
  card.addEventListener('click', () => {
    if (!number || !expiry || !code) return
    number.value = card.dataset['card'] ?? ''
    expiry.value = `12 / ${String(new Date().getFullYear() + 2).slice(2)}`
    code.value = '123'
    submit?.focus()
  })

wrong?.focus()

const { status, order, project = '' } = document.body.dataset
if (status === 'pending') {
  const url = `/v1/onramp/orders/${order}?projectId=${encodeURIComponent(project)}`
  const timer = setInterval(async () => {
    const response = await fetch(url).catch(() => undefined)
    if (!response?.ok || (await response.json()).status === 'pending') return
    clearInterval(timer)
    location.reload()
  }, 1_000)
}
