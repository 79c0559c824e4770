/** ENSIP-15 in full: 27 KB of Unicode tables, loaded for names that need them. */
export { normalize } from 'viem/ens'
