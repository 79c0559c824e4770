/** The definitions of the local chains, which sites import from the kit. */
export { gatefoldLocal, gatefoldSecond } from '@gatefold/kit/chains'
