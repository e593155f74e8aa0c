/** Words too common to tell one passage from another, question words among them. They also tell the language of a text. */
const lists: Readonly<Record<string, string>> = {
  en: `a about after all also am an and any are aren't as at be because been being but by can can't could did didn't do does doesn't doing don't
   for from had has have having he her hers him his how i i'm if in into is isn't it it's its just let's me more most my no nor not of on
   or our ours please she should so some such than that that's the their theirs them then there there's these they this those through to too
   us very was wasn't we were what what's when where which while who whom whose why will with won't would you your yours`,
  de: `aber als am an auch auf aus bei bin bis da damit das dass dein dem den der des die dies diese diesem diesen dieser dieses doch du durch
   ein eine einem einen einer eines er es für gegen habe haben hat hatte hatten ich ihr ihre ihrem ihren ihrer im in ist kann kein keine
   können man mein mit muss nach nicht noch nur ob oder ohne sein seine seinem seinen seiner sich sie sind so über um und uns unser unter vom
   von vor wann war waren warum was welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wir wird wo wurde wurden
   wieviel viele worauf worin womit wovon worüber wofür heißt heißen hieß laut zu zum zur zwischen`,
  fr: `a au aux avec ce ces cette comment dans de des du elle elles en est et être eu fait il ils je la le les leur leurs lui mais me mes mon ne
   nos notre nous on ont ou où par pas plus pour pourquoi quand que quel quelle quelles quels qui quoi sa sans se ses son sont sur ta te tes
   ton tu un une vos votre vous y été était c'est d'un d'une l'on qu'est qu'il qu'elle n'est`,
  es: `a al algo ante como cómo con cuál cuáles cuando cuándo cuánto cuántos cuántas de del desde donde dónde e el él ella ellos en entre era es esa ese
   eso esta está están este esto fue ha había han hay la las le les lo los más me mi muy no nos o para pero por porque qué que quien quién
   quiénes se ser si sí sin sobre son su sus también te tiene un una uno unos y ya`,
  it: `a ad ai al alla alle anche che chi ci come con cosa cui da dai dal dalla dei del della delle di dove e è era gli ha hanno i il in io la le lei
   lo loro lui ma mi nel nella nelle non o per perché più quale quali quando quanti quanto questa questo se si sia sono su sua sue sul sulla
   suo tra un una uno c'è cos'è dov'è`,
  pt: `a ao aos as às com como da das de do dos e é ela ele eles em entre era essa esse esta está este eu foi há isso isto já lhe mais mas me na
   não nas nem no nos o onde os ou para pela pelo por porque qual quais quando quantas quanto quantos que quem se sem ser seu seus são sua suas
   também te tem um uma você`,
  nl: `aan als bij dan dat de der deze die dit door een en er had heb hebben heeft het hij hoe hoeveel hun ik in is je kan maar me met mijn naar
   niet nog nu of om ons ook op over te tot uit van veel voor waar waarom wanneer waren was wat we welk welke werd wie wij worden wordt zal ze
   zich zij zijn`,
  sv: `alla att av blev bli den denna det detta dig din där de dem du efter ej eller en er ett från för får ha hade han har hon hur i icke inte
   jag kan man med men mig min mot nej ni nu när och om på sig sin ska skulle som så till under upp ut vad var varför vem vi vid vilka vilken
   vilket är över`,
  da: `af alle at blev bliver da de dem den denne der deres det dette dig din du efter ej eller en er et for fra får ham han har havde hendes her
   hun hvad hvem hvilke hvilken hvilket hvor hvordan hvorfor hvornår i ikke ind jeg kan man med men mig min mod ned nogen nogle nu når og
   også om op os over på selv sig sin skal som til ud under var ved vi vil være`,
  no: `alle at av ble blir da de dem den denne der deres det dette deg din du eller en er et etter for fra få ha hadde han har hennes her hun hva
   hvem hvilke hvilken hvilket hvor hvordan hvorfor i ikke inn jeg kan man med men meg min mot når nå noen og også om opp oss over på seg
   selv sin skal som til under ut var ved vi vil være`,
  fi: `ei ja joka jos jotka kuin kuinka kun ketkä kuka mikä millainen milloin minkä missä mistä mitä mitkä mutta myös ne nämä niin ole olen oli
   olivat on ovat se sekä sen siitä tai tämä vai voi`,
};

const sets = new Map<string, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

/** A language's stop words in lower case, accents kept, ss for ß; apostrophes straight and curly. Empty for languages without a list. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const list = lists[language];
  if (list === undefined) return none;
  const known = sets.get(language);
  if (known) return known;
  const made = new Set(list.split(/\s+/).flatMap((word) => [word, word.replaceAll("'", "’")]));
  sets.set(language, made);
  return made;
}
