/** A framed landscape on a 72-unit grid: its outline and its filled part. */
export const frame = [
  'M12 14h48v44H12zM46 26a4 4 0 1 0 .01 0z',
  'M18 52 32 32l8 10 6-6 8 16z',
] as const
