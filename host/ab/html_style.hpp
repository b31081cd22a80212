// The style sheet of the HTML report: one column, the reader's own fonts, light or dark as his system has it. Side A is
// blue and round, side B orange and square, so that neither colour nor shape alone must be seen.
#pragma once

#include <string_view>

namespace pinion::host::ab {

inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #5d6771; --rule: #d9dee3; --a: #1f6fb4;
  --b: #c2570c; --care: #fff4d6; --card: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e9ec; --soft: #9aa5af; --rule: #333a41;
  --a: #6cb2ee; --b: #f0984e; --care: #3a3118; --card: #1c2126; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem; }
.sides section { background: var(--card); border-radius: .4rem; padding: .2rem 1rem .8rem; }
.sides h2 { margin: .6rem 0 .2rem; }
.sides p { margin: .2rem 0; color: var(--soft); }
pre { margin: .3rem 0; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.key { display: inline-block; width: .7em; height: .7em; margin-right: .5em; }
.key.a { background: var(--a); border-radius: 50%; }
.key.b { background: var(--b); transform: rotate(45deg); }
.warning { background: var(--care); border-radius: .4rem; padding: .6rem 1rem; margin: .7rem 0; overflow-wrap: anywhere; }
.conclusion { font-size: 1.05rem; }
.note { color: var(--soft); font-size: .85rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0; }
th, td { padding: .2rem .7rem .2rem .3rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule);
  font-weight: normal; }
th:first-child, .text { text-align: left; }
.figures th:first-child, .figures .text { white-space: normal; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: .85rem; }
svg { display: block; }
svg text { font-size: 12px; fill: var(--soft); }
.chart { width: 100%; max-width: 46rem; }
.interval { width: clamp(7rem, 16vw, 15rem); }
thead .plot { text-align: center; }
.verdict { color: var(--b); }
.axis, .zero { stroke: var(--rule); }
.zero { stroke: var(--soft); }
.span, .beyond { fill: none; stroke: var(--soft); stroke-width: 2; }
.interval circle { fill: var(--soft); }
.real .span, .real .beyond { stroke: var(--b); stroke-width: 3; }
.real circle { fill: var(--b); }
.pair { stroke: var(--rule); }
circle.a { fill: var(--a); } path.b { fill: var(--b); }
.level { stroke-dasharray: 4 4; } .level.a { stroke: var(--a); } .level.b { stroke: var(--b); }
@media (max-width: 48rem) {
  th, td { white-space: normal; overflow-wrap: break-word; }
  svg text { font-size: 16px; }
  .stages, .stages thead, .stages tbody { display: block; font-size: .85rem; }
  .stages tr { display: grid; grid-template-columns: minmax(0, 1fr) 5.2rem 7.9rem; align-items: center;
    border-bottom: 1px solid var(--rule); }
  .stages th, .stages td { border: 0; white-space: nowrap; }
  .stages th:first-child { white-space: normal; }
  .stages .plot, .stages .interval { min-width: 0; width: 100%; box-sizing: border-box; }
  .stages .verdict { grid-column: 1 / -1; padding-top: 0; }
  .stages .verdict:empty { display: none; }
}
)css";

}  // namespace pinion::host::ab
