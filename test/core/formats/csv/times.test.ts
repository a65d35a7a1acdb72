// The time of CSV files: which columns hold it, in which form, and in which zone.
import { describe, expect, test } from "bun:test";
import { lines, read, refusal } from "./read.ts";

describe("times are told by content", () => {
  const cases: [string, string, string][] = [
    ["8 digits", "date,v\n20240304,1\n20240305,2", "2024-03-04T00:00:00Z v=1"],
    ["14 digits", "date,v\n20240304120000,1\n20240305120000,2", "2024-03-04T12:00:00Z v=1"],
    ["days of a spreadsheet", "Date,v\n45355,1\n45356,2", "2024-03-04T00:00:00Z v=1"],
    ["days with a fraction", "Date,v\n45355.041667,1\n45355.083333,2", "2024-03-04T01:00:00Z v=1"],
    ["10 digits to the hour", "d;v\n2024030412;1\n2024030413;2", "2024-03-04T12:00:00Z v=1"],
    ["10 digits that are seconds", "d;v\n1709510400;1\n1709514000;2", "2024-03-04T00:00:00Z v=1"],
    ["seconds with a decimal comma", "ts;v\n1709510400,5;1\n1709510401,5;2", "2024-03-04T00:00:00.500Z v=1"],
    ["the year last", 't,v\n"Mon Mar 4 08:15:00 2024",1', "2024-03-04T08:15:00Z v=1"],
    ["a sign before the time of day", 't,v\n"Mar 4, 2024 @ 08:15:00.000",1', "2024-03-04T08:15:00Z v=1"],
    ["names of zones with one meaning", "t,v\n2024-03-31 01:30:00 CET,1\n2024-03-31 03:30:00 CEST,2", "2024-03-31T00:30:00Z v=1"],
    ["a zone in brackets", "t,v\n2024-03-04T01:00:00+01:00[Europe/Berlin],1", "2024-03-04T00:00:00Z v=1"],
    ["a time of day in four digits", "date,time,v\n20240304,0000,1\n20240304,0815,2", "2024-03-04T00:00:00Z v=1"],
    ["without zeros before it", "UTC_DATE,UTC_TIME,v\n20240304,815,1\n20240304,1200,2", "2024-03-04T08:15:00Z v=1"],
    ["in six digits", "<DATE>,<TIME>,<CLOSE>\n20240304,081530,1\n20240304,120000,2", "2024-03-04T08:15:30Z <CLOSE>=1"],
    ["a duration beside a date", "date,response time,v\n2024-03-04,130,1\n2024-03-05,245,2", "2024-03-04T00:00:00Z response time=130 v=1"],
    ["a date behind a row number", "no,day,v\n1,2024-03-04,7\n2,2024-03-05,9\n3,2024-03-06,8", "2024-03-04T00:00:00Z v=7"],
    ["years", "Year,v\n1960,1\n1961,2", "1960-01-01T00:00:00Z v=1"],
    ["months", "Month,v\n2020-01,1\n2020-02,2", "2020-01-01T00:00:00Z v=1"],
    ["names of months", "Month,v\nJan 2020,1\nFeb 2020,2", "2020-01-01T00:00:00Z v=1"],
    ["German names of months", "Monat;v\nMärz 2020;1\nMai 2020;2", "2020-03-01T00:00:00Z v=1"],
    ["months of 6 digits", "month,v\n202001,1\n202002,2", "2020-01-01T00:00:00Z v=1"],
    ["quarters", "q,v\n2020-Q2,1\n2020-Q3,2", "2020-04-01T00:00:00Z v=1"],
    ["half-years", "period,v\n2020-H2,1\n2021-H1,2", "2020-07-01T00:00:00Z v=1"],
    ["half-years as Eurostat writes them", "period,v\n2020-S2,1\n2021-S1,2", "2020-07-01T00:00:00Z v=1"],
    ["half-years before their year", "period,v\nH2 2020,1\nH1 2021,2", "2020-07-01T00:00:00Z v=1"],
    ["weeks", "week,v\n2020-W05,1\n2020-W06,2", "2020-01-27T00:00:00Z v=1"],
    ["points between day and month", "Zeit,v\n04.03.2024 00:30,1\n05.03.2024 00:30,2", "2024-03-04T00:30:00Z v=1"],
    ["points in the time of day", "Zeit;v\n04.03.2024 08.15;1\n05.03.2024 08.15;2", "2024-03-04T08:15:00Z v=1"],
    ["such a time in a column of its own", "Datum;Zeit;v\n04.03.2024;08.15;1\n04.03.2024;08.30;2", "2024-03-04T08:15:00Z v=1"],
    ["a time that says Uhr", "Zeit;v\n04.03.2024 8:15 Uhr;1\n05.03.2024 8:15 Uhr;2", "2024-03-04T08:15:00Z v=1"],
    ["hours by h", "Date;v\n14/03/2024 08h15;1\n15/03/2024 8h30;2", "2024-03-14T08:15:00Z v=1"],
    ["the start of a range", "MTU,v\n14.03.2024 00:00 - 14.03.2024 01:00,1\n14.03.2024 23:00 - 24:00,2", "2024-03-14T00:00:00Z v=1"],
    ["months as spreadsheets write them", "Monat;v\nMrz 2024;1\nApr 2024;2", "2024-03-01T00:00:00Z v=1"],
    ["the common log format", "time,v\n[04/Mar/2024:08:15:36 +0100],1\n[05/Mar/2024:08:15:36 +0100],2", "2024-03-04T07:15:36Z v=1"],
    ["the same bare", "time,v\n04/Mar/2024:08:15:36,1", "2024-03-04T08:15:36Z v=1"],
    ["names of months between slashes", "time,v\n04/Mar/2024 08:15,1", "2024-03-04T08:15:00Z v=1"],
    ["numbers of weeks", "Jahr;KW;v\n2024;10;1\n2024;11;2", "2024-03-04T00:00:00Z v=1"],
    ["hours of a day as ranges", "Date;Hours;v\n04-03-2024;00 - 01;1\n04-03-2024;01 - 02;2\n15-03-2024;23 - 00;3", "2024-03-04T00:00:00Z v=1"],
    ["quarters of an hour as ranges", "date,Time,v\n2024-03-04,0:00-0:15,1\n2024-03-04,0:15-0:30,2", "2024-03-04T00:00:00Z v=1"],
    ["a narrow blank before PM", 't,v\n"3/14/2024, 1:05:00\u202fPM",1\n"3/14/2024, 1:06:00\u202fPM",2', "2024-03-14T13:05:00Z v=1"],
    ["Spanish halves of the day", "Fecha;v\n14/03/2024 1:05:00 p. m.;1\n15/03/2024 1:05:00 a. m.;2", "2024-03-14T13:05:00Z v=1"],
    ["blanks in numbers", "Datum;v\n4. 3. 2024 8:15;1\n14. 3. 2024 8:15;2", "2024-03-04T08:15:00Z v=1"],
    ["a point behind the day", "Dátum;v\n2024. 03. 04. 8:15;1\n2024. 03. 05. 8:15;2", "2024-03-04T08:15:00Z v=1"],
    ["Chinese halves of the day", "时间,v\n2024/3/14 下午 1:05:00,1\n2024/3/14 上午 1:05:00,2", "2024-03-14T13:05:00Z v=1"],
    ["Japanese ones", "日時,v\n2024/3/14 午前12:05,1\n2024/3/14 午後1:05,2", "2024-03-14T00:05:00Z v=1"],
    ["Korean ones", "at,v\n2024. 3. 14. 오후 1:05:00,1\n2024. 3. 14. 오전 1:05:00,2", "2024-03-14T13:05:00Z v=1"],
    ["Swedish names of months", "Datum;v\n4 maj 2024;1\n5 maj 2024;2", "2024-05-04T00:00:00Z v=1"],
    ["Polish ones", "Data;v\n4 sie 2024;1\n5 sie 2024;2", "2024-08-04T00:00:00Z v=1"],
    ["Chinese dates", "日期,v\n2024年3月4日,1\n2024年3月5日,2", "2024-03-04T00:00:00Z v=1"],
    ["words between day and month", "Fecha;v\n4 de marzo de 2024;1\n5 de marzo de 2024;2", "2024-03-04T00:00:00Z v=1"],
    ["ordinals", 'd,v\n"March 4th, 2024 at 8:15 AM",1\n"March 5th, 2024 at 8:15 AM",2', "2024-03-04T08:15:00Z v=1"],
    ["a word before the time of day", "Zeit;v\n04.03.2024 um 08:15;1\n05.03.2024 um 08:15;2", "2024-03-04T08:15:00Z v=1"],
    ["times of Oracle", "at,v\n04-MAR-24 08.15.30.250000 PM,1\n05-MAR-24 08.15.30.250000 AM,2", "2024-03-04T20:15:30.250Z v=1"],
    ["times of DB2", "at,v\n2024-03-04-08.15.30.250000,1\n2024-03-05-08.15.30.250000,2", "2024-03-04T08:15:30.250Z v=1"],
    ["times of SAS", "at,v\n04MAR2024:08:15:30,1\n05MAR2024:08:15:30,2", "2024-03-04T08:15:30Z v=1"],
    ["times of kdb", "at,v\n2024.03.04D08:15:30.250000000,1", "2024-03-04T08:15:30.250Z v=1"],
    ["an underscore between date and time", "at,v\n2024-03-04_08:15:30,1", "2024-03-04T08:15:30Z v=1"],
    ["a colon before milliseconds", "at,v\n2024-03-04 08:15:30:250,1", "2024-03-04T08:15:30.250Z v=1"],
    ["an offset from a name", "at,v\n2024-03-04 08:15 UTC+01:00,1", "2024-03-04T07:15:00Z v=1"],
    ["dates of browsers", "at,v\nMon Mar 04 2024 08:15:00 GMT+0100 (Central European Standard Time),1", "2024-03-04T07:15:00Z v=1"],
    ["quarters in French", "t;v\n2020-T2;1\n2020-T3;2", "2020-04-01T00:00:00Z v=1"],
    ["a colon between date and time", "time,v\n20240304:0110,1\n20240304:0210,2", "2024-03-04T01:10:00Z v=1"],
    ["ranges with minutes", "date,period,v\n2024-03-04,01:00 - 02:00,1\n2024-03-04,02:00 - 03:00,2", "2024-03-04T01:00:00Z v=1"],
    ["numbers of another name that are even steps apart", "created_at,v\n1700000000,1\n1700000060,2\n1700000120,3", "2023-11-14T22:13:20Z v=1"],
    ["times of day of another name, in the order of the rows", "date,kl,v\n2024-03-04,08:00,1\n2024-03-04,09:00,2", "2024-03-04T08:00:00Z v=1"],
    ["no duration of a day", "Date,Sleep,Steps\n2024-03-04,7:12,8000\n2024-03-05,6:48,9000", "2024-03-04T00:00:00Z Steps=8000"],
    ["nor one named as a time", "Date,Screen Time,v\n2024-03-04,3:12,1\n2024-03-05,2:48,2", "2024-03-04T00:00:00Z v=1"],
    ["the time of one measurement a day", "Date,Start Time,v\n2024-03-04,08:15,1\n2024-03-05,07:50,2", "2024-03-04T08:15:00Z v=1"],
    ["names of zones beside them", "Date,Time,TimeZone,v\n31/03/2024,01:30,CET,1\n31/03/2024,03:30,CEST,2", "2024-03-31T00:30:00Z v=1"],
    ["a region beside them", "time,timezone,v\n2024-07-04 10:00,Europe/Berlin,1\n2024-07-04 11:00,Europe/Berlin,2", "2024-07-04T08:00:00Z v=1"],
    ["weeks in German", "Woche;v\nKW 10/2024;1\nKW 11/2024;2", "2024-03-04T00:00:00Z v=1"],
    ["the beginning of periods", "Datum;Von;Bis;v\n04.03.2024;01:00;02:00;1\n04.03.2024;02:00;03:00;2", "2024-03-04T01:00:00Z v=1"],
    ["a time of day named as the date", "Ab-Datum;Bis-Zeit;Ab-Zeit;v\n04.03.2024;02:00;01:00;1\n04.03.2024;03:00;02:00;2", "2024-03-04T01:00:00Z v=1"],
    ["a clock of numbers", "id,clock,v\n1,1709510400,7\n1,1709514000,8", "2024-03-04T00:00:00Z v=7"],
    ["the month first", "d,v\n03/12/2024,1\n03/13/2024,2", "2024-03-12T00:00:00Z v=1"],
    ["halves of days", "d,v\n03/13/2024 12:05 AM,1\n03/13/2024 1:05 PM,2", "2024-03-13T00:05:00Z v=1"],
    ["mail dates", 'd,v\n"Wed, 01 Jan 2020 00:00:00 GMT",1', "2020-01-01T00:00:00Z v=1"],
    ["the end of a day", "time,v\n2024-03-04 24:00,1", "2024-03-05T00:00:00Z v=1"],
    ["date and time of day", "Date,Time,v\n2024-03-04,01:00:00,1\n2024-03-04,02:00:00,2", "2024-03-04T01:00:00Z v=1"],
    ["the time of day first", "Time,Date,v\n1:05 PM,2024-03-04,1\n2:05 PM,2024-03-04,2", "2024-03-04T13:05:00Z v=1"],
    ["hours as numbers", "date,hour,v\n2024-03-04,1,1\n2024-03-04,2,2", "2024-03-04T01:00:00Z v=1"],
    ["parts", "no,year,month,day,hour,v\n1,2010,1,2,3,7\n2,2010,1,2,4,9\n3,2010,1,2,5,9", "2010-01-02T03:00:00Z v=7"],
    ["a month by name", "year,month,v\n2020,Feb,1\n2020,Mar,2", "2020-02-01T00:00:00Z v=1"],
    ["an index without a name", ",v\n2024-03-04,1", "2024-03-04T00:00:00Z v=1"],
    ["9 digits", "ts,v\n978307200,1\n978307260,2", "2001-01-01T00:00:00Z v=1"],
    ["nanoseconds", "name,time,mean\ncpu,1709510400000000000,1", "2024-03-04T00:00:00Z mean=1"],
  ]; // biome-ignore format: a table
  test.each(cases)("%s", (_name, text, first) => expect(lines(text)[0]).toBe(first));

  test("dates before counters that could be seconds", () => {
    const text = "bytes,time\n1700000000,2024-03-04\n1700000100,2024-03-05";
    expect(lines(text)[0]).toBe("2024-03-04T00:00:00Z bytes=1700000000");
  });

  test("what was chosen is said", () => {
    expect(read("Datum;v\n04.03.2024;1\n05.03.2024;2").notes).toEqual(["Datum: dates, the day first"]);
    expect(read("Date,Time,v\n2024-03-04,01:00,1").notes).toEqual(["Date+Time: dates, with times of day"]);
    expect(read("end,start,v\n2024-03-05,2024-03-04,1").notes).toEqual([
      "skipped columns, a further time: end",
    ]);
  });

  test("times with and without an offset are told, where a zone is given", () => {
    const text = "time,v\n2024-03-04T01:00:00+01:00,1\n2024-03-04T01:00:00,2";
    const { points, notes } = read(text, { timezone: "UTC" });
    expect(points.map(({ timestamp }) => timestamp % 86_400)).toEqual([0, 3600]);
    expect(notes).toContain("times without an offset are read in the given time zone");
  });

  test("options say otherwise", () => {
    expect(lines("time,v\n1,5\n2,6", { timeFormat: "s" })[0]).toBe("1970-01-01T00:00:01Z v=5");
    expect(lines("time,v\n94694400000,5", { timeFormat: "ms" })[0]).toBe("1973-01-01T00:00:00Z v=5");
    expect(lines("year,q,v\n2020,Q2,1", { timeColumn: "year+q" })[0]).toBe("2020-04-01T00:00:00Z v=1");
    expect(lines("a,b,v\n2024-03-04,01:00,1", { timeColumn: "a+b" })[0]).toBe("2024-03-04T01:00:00Z v=1");
    const zoned = { timeFormat: "%Y-%m-%d %H:%M CET", timezone: "+01:00" };
    expect(lines("t,v\n2024-07-04 00:00 CET,1", zoned)[0]).toBe("2024-07-03T23:00:00Z v=1");
    expect(lines("d,v\n01/02/2024,1", { timeFormat: "%d/%m/%Y" })[0]).toBe("2024-02-01T00:00:00Z v=1");
    expect(lines("a,b,v\n2024-03-04,2024-05-05,1", { timeColumn: "b" })[0]).toBe("2024-05-05T00:00:00Z v=1");
  });
});

describe("refused, with the option that says otherwise", () => {
  const cases: [string, string, string][] = [
    ["numbers of rows", "time,v\n1,5\n2,6", 'line 2: column time holds "1", no usual time (in seconds the year 1970'],
    ["milliseconds of 1973", "time,v\n94694400000,5", "in milliseconds the year 1973): name the time with --time-column, or its unit with --time-format s"],
    ["seconds of 1985", "time,v\n473385600,5", "in seconds the year 1985"],
    ["seconds of 2100", "time,v\n4102444800,5", "in seconds the year 2100"],
    ["day or month", "d,v\n01/02/2024,1\n01/03/2024,2", `line 2: column d holds "01/02/2024", whose day and month cannot be told apart: --time-format '%d/%m/%Y' or '%m/%d/%Y'`],
    ["text", "t,v\nsoon,1", 'line 2: column t holds "soon", no time: set --time-column'],
    ["the name of a zone", "t,v\n2024-03-04 00:00 IST,1", "; IST can stand in the pattern as text, with the --timezone it means"],
    ["a time of day", "t,v\n00:01,1\n00:02,2", "a time of day without a date: --time-column DATE+t"],
    ["a day that there is not", "date,v\n2024-02-28,1\n2024-02-29,1\n2024-03-01,1\n2024-03-02,1\n2024-02-30,2", 'line 6: column date holds "2024-02-30", a day or time of day that there is not: correct it, or remove the line'],
    ["many days that there are not", "date,v\n28.02.2026,1\n27.02.2026,1\n26.02.2026,1\n30.02.2026,1\n31.02.2026,2", 'line 5: column date holds "30.02.2026", a day'],
    ["months that there are not", "date,v\n2024-12-28,1\n2024-13-01,1\n2024-12-29,1", 'line 3: column date holds "2024-13-01", a day'],
    ["hours that there are not", "date,time,v\n1.3.2024,22:00,1\n1.3.2024,25:00,1\n1.3.2024,23:00,2", 'line 3: column date+time holds "25:00", a day or time of day'],
    ["compact days that there are not", "date,v\n20240228,1\n20240230,1\n20240227,1", 'line 3: column date holds "20240230", a day'],
    ["parts of a day that there is not", "year,month,day,v\n2024,2,28,1\n2024,2,30,1", 'line 3: column year+month+day holds "2024 2 30", a day'],
    ["half of the days written otherwise", "date,v\n27/02/2026,1\n02/28/2026,1", 'line 2: column date holds "27/02/2026", no time'],
    ["a remark", "date,v\n2024-02-28,1\n2024-02-29,1\n2024-03-01,1\n2024-03-02,1\nClosed,4", '--missing "Closed" leaves the line out'],
    ["an offset in some lines", "t,v\n2024-03-04T01:00:00+01:00,1\n2024-03-04T02:00:00,2", 'line 3: column t holds "2024-03-04T02:00:00", without the offset that others have: set the --timezone'],
    ["years as columns", "Country,2019,2020,2021\nDE,1,2,3", 'header: names columns by times, as "2019", "2020", "2021"'],
    ["years before those of clocks", "Year,v\n1885,2\n1886,3", 'column Year holds "1885", outside 1900'],
    ["dates before them", "t,v\n01.03.1885,2\n02.03.1885,3", 'column t holds "01.03.1885", outside 1900'],
    ["one date before them", "t,v\n2024-03-04,5\n2024-03-05,5\n2024-03-06,5\n2024-03-07,5\n0001-01-01,6", 'line 6: column t holds "0001-01-01", outside 1900'],
    ["parts of one before them", "year,month,v\n2020,1,1\n2020,2,1\n1885,1,1", 'line 4: column year+month holds "1885 1", outside 1900'],
    ["two years as columns", "Country,2019,2020\nDE,1,2", 'column Country holds "DE", no time'],
    ["a quarter beside its year", "year,quarter,v\n2020,Q1,1\n2020,Q2,2", "--time-column year+quarter joins the parts"],
    ["days without a year", "Date,v\nMar 04,1\nMar 05,2", 'column Date holds "Mar 04", no time'],
    ["the same with a dash", "Date,v\nMai-04,1\nMai-11,2\nJun-01,3", 'column Date holds "Mai-04", no time'],
    ["pairs of years", "Season,v\n2001/02,1\n2002/03,2", 'column Season holds "2001/02", no time'],
    ["weeks that look like months", "Week,v\n2024-01,1\n2024-02,2", 'column Week holds "2024-01", no time'],
    ["the same without a separator", "Week,v\n202401,1\n202402,2", 'column Week holds "202401", no usual time'],
    ["weeks before their year", "Kalenderwoche;v\n01/2024;1\n02/2024;2", 'holds "01/2024", no time'],
    ["totals of a month among days", "date;v\n04.03.2024;1\n05.03.2024;2\n14.03.2024;2\n03/2024;5", 'column date holds "03/2024", no time as the others are'],
    ["ticks since the year 1", "time,v\n638451072000000000,1\n638451108000000000,2", 'holds "638451072000000000", no usual time'],
    ["seconds and milliseconds in one column", "time,v\n1709510400,1\n1709510460000,2", 'holds "1709510400", no usual time'],
    ["zones that are not known", "time,Time Zone,v\n2024-03-04 01:00,PST,1", 'column Time Zone holds "PST", which is not of the form +01:00: check --timezone'],
    ["several regions", "time,tz,v\n2024-03-04 01:00,Europe/Berlin,1\n2024-03-04 02:00,Asia/Tokyo,2", 'column tz holds "Asia/Tokyo"'],
    ["two tables side by side", "time,a,time,b\n2024-03-04 01:00,1,2024-05-01 01:00,2\n2024-03-04 02:00,1,2024-05-01 02:00,2", "--time-column: is needed: time and time_2"],
    ["the name of a zone that is not known", "Time (EST),v\n2024-07-04 08:00,1", 'column Time (EST) holds "EST", which is not of the form +01:00: check --timezone'],
    ["the time that has elapsed, on one day", "Date,Elapsed Time,v\n2024-03-04,00:00:05,1\n2024-03-04,00:00:10,2\n2024-03-04,00:00:15,3", "a second value of v at"],
    ["counts of another name in the range of times", "rx_bytes,v\n1700000000,1\n1700004711,2\n1700005003,3", "--time-column: is needed: no column has the name of a time, and times could be in rx_bytes"],
    ["numbers of another name in the range of times", "order,amount\n1700000000,1.5\n1700000001,2.5", "--time-column: is needed: no column has the name of a time, and times could be in order"],
    ["two times of day", "Date,a,b,v\n2024-03-04,01:00,02:00,1", "--time-column: is needed: a and b both hold times of day"],
  ]; // biome-ignore format: a table
  test.each(cases)("%s", (_name, text, message) => expect(refusal(text)).toContain(message));

  test("not numbers such as years as names beside a time", () => {
    expect(read("time,2019,2020,2021\n2024-03-04,1,2,3").points).toHaveLength(1);
  });

  test("a column or format that is not there", () => {
    expect(refusal("t,v\n1,2", { timeColumn: "tt" })).toBe(
      "--time-column: the file has no column tt; it has t, v",
    );
    expect(refusal("Year,v\n1885,2", { timeFormat: "%Y" })).toContain('holds "1885", outside 1900');
    expect(refusal("t,v\n1,2", { timeFormat: "weeks" })).toStartWith("--time-format: must be auto, iso");
    expect(refusal("t,v\n2024-03-04,2", { timezone: "Mars" })).toStartWith(
      "--timezone: must be an IANA time zone",
    );
  });
});

describe("the name of a column says the time zone", () => {
  const zones: [string, string, string][] = [
    ["Time (UTC)", "UTC", "2024-07-04T08:00:00Z"],
    ["utc_timestamp", "UTC", "2024-07-04T08:00:00Z"],
    ["Date Time; GMT+02:00", "+02:00", "2024-07-04T06:00:00Z"],
    ["Time (UTC-5:30)", "-05:30", "2024-07-04T13:30:00Z"],
    ["Zeit (MEZ)", "+01:00", "2024-07-04T07:00:00Z"],
    ["MTU (CET/CEST)", "Europe/Berlin", "2024-07-04T06:00:00Z"],
    ["Time (America/New_York)", "America/New_York", "2024-07-04T12:00:00Z"],
  ]; // biome-ignore format: a table
  test.each(zones)("%s", (name, zone, at) => {
    const { points, notes } = read(`${name},v\n2024-07-04 08:00,1`, { timezone: "Asia/Tokyo" });
    expect(new Date(points[0]!.timestamp * 1000).toISOString()).toBe(at.replace("Z", ".000Z"));
    expect(notes).toEqual([`${name}: times are in ${zone}, as the name says`]);
  });

  test.each([
    ["(PDH-CSV 4.0) (W. Europe Standard Time)(-60)", "2024-07-04T07:00:00Z"],
    ["(PDH-CSV 4.0) (Pacific Standard Time)(480)", "2024-07-04T16:00:00Z"],
  ])("%s has the offset of its start, which a zone for the file corrects", (name, at) => {
    const text = `"${name}",v\n2024-07-04 08:00,1`;
    const zone = { timezone: "Europe/Berlin" };
    expect(lines(text)).toEqual([`${at} v=1`]);
    expect(lines(text, { ...zone, isAssumedZone: true })).toEqual([`${at} v=1`]);
    expect(lines(text, zone)).toEqual(["2024-07-04T06:00:00Z v=1"]);
    expect(read(text, zone).notes.join()).not.toContain("as the name says");
  });

  test("a line before the header that names one is told", () => {
    const body = "time,temp (°C),rain\n2024-07-04T08:00,1,2\n2024-07-04T09:00,1,2";
    const said = (zone: string) =>
      `a line before the header names ${zone}, but times without an offset are read as UTC`;
    const wide = `latitude,timezone,height\n52.5,Europe/Berlin,38\n\n${body}`;
    for (const text of [wide, `Plant in Europe/Berlin\n${body}`])
      expect(read(text).notes).toContain(said("Europe/Berlin"));
    expect(read(`times in GMT\n${body}`).notes).not.toContain(said("UTC"));
    expect(read(wide, { timezone: "UTC" }).notes).not.toContain(said("Europe/Berlin"));
  });

  test("not where times have an offset, or the name says nothing, or two zones", () => {
    for (const [name, cell] of [
      ["Time (UTC)", "2024-07-04T08:00:00+02:00"],
      ["Tacet time", "2024-07-04 06:00"],
      ["CET or EET time", "2024-07-04 06:00"],
    ])
      expect([lines(`${name},v\n${cell},1`), read(`${name},v\n${cell},1`).notes]).toEqual([
        ["2024-07-04T06:00:00Z v=1"],
        [],
      ]);
  });
});

describe("another column makes local times certain", () => {
  const cases: [string, string, string][] = [
    ["in UTC", "local_time,utc_time,v\n2024-07-04 10:00,2024-07-04 08:00,1\n2024-12-04 09:00,2024-12-04 08:00,2", "utc_time"],
    ["since the epoch", "Datum,ts,v\n2024-07-04 10:00,1720080013,1\n2024-07-04 11:00,1720083613,2", "ts"],
    ["with offsets", "time,at,v\n2024-07-04 10:00,2024-07-04T08:00:00Z,1", "at"],
    ["of offsets", "time,utc_offset,v\n2024-07-04 10:00,+02:00,1\n2024-12-04 09:00,+01:00,2", "time+utc_offset"],
    ["of offsets, beside two", "date,time,tz,v\n2024-07-04,13:30,UTC+0530,1", "date+time+tz"],
  ]; // biome-ignore format: a table
  test.each(cases)("%s", (_name, text, time) => {
    const { points, table } = read(text);
    expect(table.reading!.roles.time.name).toBe(time);
    expect(Math.floor(points[0]!.timestamp / 60)).toBe(Date.UTC(2024, 6, 4, 8) / 60_000);
  });

  test("not one of other instants, nor durations", () => {
    const other =
      "time,exported (UTC),v\n2024-07-04 10:00,2024-09-01 08:07,1\n2024-07-04 11:00,2024-09-01 08:07,2";
    expect(read(other).table.reading!.roles.time.name).toBe("time");
    expect(lines("date,duration,km\n2024-07-04,00:25:30,5")).toEqual(["2024-07-04T00:00:00Z km=5"]);
  });
});

test("times of day belong to dates where most rows follow one another by them, series by series", () => {
  const rows = ["a", "b"].flatMap((station) =>
    Array.from({ length: 48 }, (_, i) => `2024-03-0${4 + Math.floor(i / 24)},${i % 24}:00,${station},${i}`),
  );
  const found = lines(["Date,Hora local (h),station,v", ...rows].join("\n"));
  expect(found[49]).toBe("2024-03-04T01:00:00Z v=1 station:b");
});

test("durations of several rows of a day do not", () => {
  const text = "Date,Worked,v\n2024-03-04,7:00,1\n2024-03-04,2:00,2\n2024-03-05,5:00,3\n2024-03-05,3:00,4";
  expect(refusal(text)).toContain("a second value of v");
});

test.each([
  ["03/04/2024 10:15:30.5 PM", "2024-04-03T22:15:30.500Z"],
  ["3/4/2024, 1:05 am", "2024-04-03T01:05:00Z"],
  ["03/04/2024 10:15:30 +01:00", "2024-04-03T09:15:30Z"],
  ["03-04-24", "2024-04-03T00:00:00Z"],
])("the pattern that is offered for %s reads it", (cell, at) => {
  const text = `t;v\n${cell};1`;
  const timeFormat = /'([^']+)'/.exec(refusal(text))![1]!;
  expect(lines(text, { timeFormat })).toEqual([`${at} v=1`]);
});

test("a comment that names a zone is told", () => {
  const { notes } = read("# Time zone: America/New_York\ntime,v\n2024-07-04 08:00,1");
  expect(notes.join()).toContain("a line before the header names America/New_York");
});

describe("local times", () => {
  const hours = (day: string, list: readonly string[]) =>
    ["time,v", ...list.map((hour, i) => `${day} ${hour}:00,${i}`)].join("\n");
  const zones: [string, string, readonly string[], string][] = [
    ["Europe/Berlin", "2024-10-27", ["01", "02", "02", "03"], "2024-10-26T23 2024-10-27T00 2024-10-27T01 2024-10-27T02"],
    ["Europe/Berlin", "2024-03-31", ["00", "01", "03", "04"], "2024-03-30T23 2024-03-31T00 2024-03-31T01 2024-03-31T02"],
    ["America/New_York", "2024-11-03", ["00", "01", "01", "02"], "2024-11-03T04 2024-11-03T05 2024-11-03T06 2024-11-03T07"],
    ["Australia/Sydney", "2024-04-07", ["01", "02", "02", "03"], "2024-04-06T14 2024-04-06T15 2024-04-06T16 2024-04-06T17"],
    ["Europe/Berlin", "2024-10-27", ["03", "02", "02", "01"], "2024-10-27T02 2024-10-27T01 2024-10-27T00 2024-10-26T23"],
  ]; // biome-ignore format: a table
  test.each(zones)("%s, %s", (timezone, day, list, expected) => {
    const read = lines(hours(day, list), { timezone }).map((line) => line.slice(0, 13));
    expect(read.join(" ")).toBe(expected);
  });

  const inOctober = (...clocks: string[]) =>
    ["time,v", ...clocks.map((clock, i) => `2024-10-27 ${clock},${i}`)].join("\n");
  const half = ["02:00", "02:15", "02:30", "02:45"];
  const orders: [string, readonly string[], string][] = [
    ["both passes", ["01:45", ...half, ...half, "03:00"], "23:45 00:00 00:15 00:30 00:45 01:00 01:15 01:30 01:45 02:00"],
    ["of the second pass alone", [...half, "03:00", "03:15"], "01:00 01:15 01:30 01:45 02:00 02:15"],
    ["that begin in the second pass", ["02:30", "02:45", "03:00"], "01:30 01:45 02:00"],
    ["that end in the first pass", ["01:30", "01:45", "02:00", "02:15"], "23:30 23:45 00:00 00:15"],
    ["newest first, that end in the first pass", ["02:15", "02:00", "01:45", "01:30"], "00:15 00:00 23:45 23:30"],
    ["an hour apart, that begin in the second pass", ["02:00", "03:00", "04:00"], "01:00 02:00 03:00"],
    ["an hour apart, that begin in the first pass", ["02:00", "02:00", "03:00"], "00:00 01:00 02:00"],
  ]; // biome-ignore format: a table
  test.each(orders)("rows %s", (_, clocks, expected) => {
    for (const onDuplicate of ["error", "last", "first"] as const) {
      const found = lines(inOctober(...clocks), { timezone: "Europe/Berlin", onDuplicate });
      expect(found.map((line) => line.slice(11, 16)).join(" ")).toBe(expected);
    }
  });

  const corrections: [string, readonly string[], string][] = [
    ["the row before", ["01:45", "02:00", "02:15", "02:15", "02:30", "02:45", ...half, "03:00"], "00:15"],
    ["an earlier row", ["01:45", "02:00", "02:15", "02:30", "02:15", "02:45", ...half, "03:00"], "00:15"],
    ["a row of the second pass", ["01:45", ...half, "02:00", "02:15", "02:15", "02:30", "02:45", "03:00"], "01:15"],
    ["an earlier row of the second pass", ["01:45", ...half, "02:00", "02:15", "02:30", "02:15", "02:45", "03:00"], "01:15"],
  ]; // biome-ignore format: a table
  test.each(corrections)("a row that repeats %s is of its own hour", (_, clocks, repeated) => {
    const found = lines(inOctober(...clocks), { timezone: "Europe/Berlin", onDuplicate: "last" });
    const times = found.map((line) => line.slice(11, 16));
    const all = "23:45 00:00 00:15 00:30 00:45 01:00 01:15 01:30 01:45 02:00".split(" ");
    expect([...new Set(times)].sort()).toEqual(all.toSorted());
    expect(times.filter((time) => time === repeated)).toHaveLength(2);
    expect(times).toHaveLength(all.length + 1);
  });

  test("a time that repeats is refused by default, and is no second hour", () => {
    const text = inOctober("01:45", "02:00", "02:15", "02:15", "02:30", "02:45", "03:00");
    expect(refusal(text, { timezone: "Europe/Berlin" })).toContain("line 5: a second value of v at");
  });

  test("each series has its own repeated hour", () => {
    const rows = ["01:30,a", "01:30,b", "02:30,a", "02:30,b", "02:30,a", "02:30,b"];
    const text = ["time,host,v", ...rows.map((row, i) => `2024-10-27 ${row},${i}`)].join("\n");
    const read = lines(text, { timezone: "Europe/Berlin" }).map((line) => line.slice(11, 13));
    expect(read).toEqual(["23", "23", "00", "00", "01", "01"]);
  });

  test("each field of a long table has its own repeated hour", () => {
    const rows = ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"].flatMap((clock, i) =>
      ["cpu", "mem"].map((metric) => `2024-10-27 ${clock},${metric},${i}`),
    );
    const text = ["time,metric,value", ...rows].join("\n");
    const found = lines(text, { timezone: "Europe/Berlin" }).filter((line) => line.includes("mem"));
    expect(found.map((line) => line.slice(11, 16)).join(" ")).toBe("23:30 00:00 00:30 01:00 01:30 02:00");
  });

  test("a time that the clock skips is refused", () => {
    expect(refusal(hours("2024-03-31", ["01", "02"]), { timezone: "Europe/Berlin" })).toBe(
      'line 3: column time holds "2024-03-31 02:00", which the clocks of Europe/Berlin skip: set the --timezone of the times, as in UTC or +01:00',
    );
  });

  test("an offset beats the zone", () => {
    expect(lines("t,v\n2024-03-04T00:00:00+05:00,1", { timezone: "Europe/Berlin" })).toEqual([
      "2024-03-03T19:00:00Z v=1",
    ]);
  });

  test("without a zone, a repeated hour is refused and names it", () => {
    const message = refusal(hours("2024-10-27", ["01", "02", "02"]));
    expect(message).toStartWith(
      'line 4: a second value of v at "2024-10-27 02:00", 2024-10-27T02:00:00.000Z: ',
    );
    expect(message).toContain("--timezone ZONE where the clock was put back");
  });
});
