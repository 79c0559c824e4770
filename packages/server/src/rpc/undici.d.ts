/** The pool without the rest of undici, which loads four times as many modules. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
