/** ENSIP-15 in full: 27 KB of Unicode tables, loaded only for names that need them. */
export { normalize } from 'viem/ens'
