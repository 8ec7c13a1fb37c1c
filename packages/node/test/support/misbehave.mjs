/**
 * Loaded into a server by `--import`: on a signal, imitates libraries and program errors, each with
 * its own way of printing.
 */
process.on('SIGUSR2', () => {
  console.error('a library prints\nseveral lines', new Error('with a stack'))
  console.table([{ some: 'table' }])
  process.emitWarning('something is deprecated', 'DeprecationWarning', 'DEP9999')
  setTimeout(() => void Promise.reject(new Error('nobody catches this')), 20)
})
