/**
 * Labels that nobody can register, because visitors would mistake the account
 * for the operator: those of RFC 2142, and the usual names of operators and
 * their services.
 */
const reserved = new Set([
  'abuse',
  'account',
  'accounts',
  'admin',
  'administrator',
  'appkit',
  'billing',
  'contact',
  'gatefold',
  'help',
  'helpdesk',
  'hostmaster',
  'info',
  'login',
  'mail',
  'marketing',
  'moderator',
  'noreply',
  'no-reply',
  'official',
  'operator',
  'owner',
  'payment',
  'payments',
  'postmaster',
  'recovery',
  'registrar',
  'registry',
  'reown',
  'root',
  'sales',
  'security',
  'service',
  'staff',
  'status',
  'support',
  'system',
  'team',
  'treasury',
  'verify',
  'wallet',
  'walletconnect',
  'webmaster',
])

/**
 * Whether a label in lower case is reserved: it is in the list, or is the first
 * label of its zone.
 */
export function isReserved(label: string, zone: string): boolean {
  return reserved.has(label) || zone.split('.')[0] === label
}
