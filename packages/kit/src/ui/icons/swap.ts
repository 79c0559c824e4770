export const updown = 'M7 4v12m-3-3 3 3 3-3M13 16V4m-3 3 3-3 3 3'
