export const autoRestartOptions = [
  { value: 'default', label: 'Default' },
  { value: 'never', label: 'Never' },
  { value: 'best_effort', label: 'Best effort' },
]

export const autoRestartHint =
  'The global default is currently best effort, but this may change in the future.'
