// What a person sees who opens the address of the service: what this is, whether it works, and where to go.

export interface HomeFacts {
  readonly version: string
  readonly isReady: boolean
  /** Where the caller reached us. */
  readonly url: string
  readonly hasExplorer?: boolean
}

export const homeLinks = {
  reference: '/docs',
  openapi: '/openapi.json',
  live: '/health/live',
  ready: '/health/ready',
} as const

export const homePage = ({
  version,
  isReady,
  url,
  hasExplorer = false,
}: HomeFacts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Octavo</title>
<link rel="stylesheet" href="/home.css">
</head>
<body>
<main>
<header>
<h1>Octavo</h1>
<p class="lead">An object query service: read whole collections of objects page by page, and never lose or repeat one.</p>
<p class="facts"><span class="state ${isReady ? 'ready' : 'unready'}">${isReady ? 'Ready' : 'Not ready'}</span> version ${version}</p>
${isReady ? '' : `<p><a href="${homeLinks.ready}">Why it is not ready</a></p>\n`}</header>
<nav>
${hasExplorer ? '<a href="/"><strong>Explorer</strong><span>Look at objects, and export them</span></a>\n' : ''}<a href="${homeLinks.reference}"><strong>Reference</strong><span>Every endpoint, to read and to try</span></a>
<a href="${homeLinks.openapi}"><strong>OpenAPI</strong><span>The same as a document for programs</span></a>
<a href="${homeLinks.ready}"><strong>Health</strong><span>Whether it is ready, and if not, why</span></a>
</nav>
<section>
<h2>First steps</h2>
<p>Every request needs an access token. The people who run this service can give you one; <code>octavo dev</code> and <code>octavo demo</code> print theirs.</p>
<pre><code>export OCTAVO_URL=${escaped(url)}
export OCTAVO_TOKEN=...

<i># what you may read</i>
curl -H "Authorization: Bearer $OCTAVO_TOKEN" \\
  "$OCTAVO_URL/api/v1/ontologies"

<i># the types of one of them</i>
curl -H "Authorization: Bearer $OCTAVO_TOKEN" \\
  "$OCTAVO_URL/api/v1/ontologies/<b>RID</b>/objectTypes"

<i># a page of objects; its nextPageToken leads to the next</i>
curl -H "Authorization: Bearer $OCTAVO_TOKEN" \\
  "$OCTAVO_URL/api/v1/ontologies/<b>RID</b>/objects/<b>TYPE</b>?pageSize=2"</code></pre>
</section>
<footer>Metrics are on a port of their own, if <code>metrics-port</code> is set.</footer>
</main>
</body>
</html>
`

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

export const homeStyle = `
:root { --paper: #fcfcfa; --ink: #22262b; --faint: #646b73; --line: #ddd9cf; --accent: #35506b; --card: #fff; --good: #2c6e49; --bad: #a4342c }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16191d; --ink: #e6e4df; --faint: #9aa1a9; --line: #333941; --accent: #9dbbd8; --card: #1d2126; --good: #7fc79a; --bad: #ef9a92 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 4.5rem 1.5rem 3rem }
h1 { margin: 0; font: 600 3.25rem/1.1 ui-serif, Georgia, serif; letter-spacing: -0.02em }
h2 { margin: 2.75rem 0 0.5rem; font-size: 1.1rem }
.lead { margin: 0.75rem 0 1.25rem; font-size: 1.2rem; color: var(--faint); max-width: 34rem }
.facts { margin: 0; color: var(--faint) }
.state { margin-right: 0.5rem; padding: 0.15rem 0.65rem; border: 1px solid; border-radius: 1rem; font-size: 0.9rem; font-weight: 600 }
.ready { color: var(--good) }
.unready { color: var(--bad) }
nav { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 0.75rem; margin-top: 2.25rem }
nav a { padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); text-decoration: none }
nav a:hover, nav a:focus-visible { border-color: var(--accent) }
nav strong { display: block; color: var(--accent) }
nav span { font-size: 0.9rem; color: var(--faint) }
a { color: var(--accent) }
pre { margin: 1rem 0 0; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow-x: auto; font-size: 0.88rem }
code { font-family: ui-monospace, monospace }
pre i { color: var(--faint); font-style: normal }
pre b { color: var(--accent) }
footer { margin-top: 2.5rem; color: var(--faint); font-size: 0.9rem }
`
