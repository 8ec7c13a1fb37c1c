export const ruleDocs = {
  topic: 'alert rules',
  summary:
    'An alert rule is a query, a threshold, and how long it has to be passed. The server evaluates it all the time. When it fires, it is shown here and at what it is about, and receivers of alerts are told.',
}
